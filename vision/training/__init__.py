"""Making the shipped index reader: synthetic crops, the network, its calibration. Not part of the wheel.

`python -m vision.training --help` says how. Wants `torch` and `onnx`, which are no dependencies of the project.
"""
