"""The wire between the controller and the machine: messages, codec, session and link.

Importing this package loads no serial library; `firmware_bridge.link` does.
"""
