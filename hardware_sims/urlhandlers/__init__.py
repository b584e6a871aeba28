"""Handlers of URL schemes for pyserial, which looks for a module `protocol_SCHEME` here."""
