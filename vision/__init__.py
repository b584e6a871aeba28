"""The eye: cards, sightings, cameras and the recogniser.

Importing this package loads neither `cv2` nor `numpy`; its modules do, when they are needed.
"""
