"""Diarization errors by pyannote.metrics: JSON in, JSON out. In: [{"reference": [...], "found": [...]}], spans of start, end, speaker."""

import json
import sys

from pyannote.core import Annotation, Segment
from pyannote.metrics.diarization import DiarizationErrorRate


def annotation(spans):
    made = Annotation()
    for track, span in enumerate(spans):
        made[Segment(span["start"], span["end"]), track] = str(span["speaker"])
    return made


recordings = json.load(sys.stdin)
values = {}
# pyannote's collar is the width over both sides of a boundary.
for name, collar in (("collar 0.25 s, error %", 0.5), ("collar 0, error %", 0.0)):
    metric = DiarizationErrorRate(collar=collar)
    for recording in recordings:
        reference, found = annotation(recording["reference"]), annotation(recording["found"])
        metric(reference, found)
    values[name] = round(100 * abs(metric), 1)
json.dump(values, sys.stdout)
