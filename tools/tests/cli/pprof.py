"""Reads as much of pprof's profile.proto as the test of our exporter needs. No package has a reader, so this one is hand-written."""

import gzip


def varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at


def message(data: bytes) -> list[tuple[int, object]]:
    """Returns (field, value) pairs in their order. A value is a number, or the bytes of a field with a length."""
    fields, at = [], 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            length, at = varint(data, at)
            value, at = data[at : at + length], at + length
            assert len(value) == length, "a field goes beyond the end"
        else:
            raise ValueError(f"wire type {key & 7}")
        fields.append((key >> 3, value))
    return fields


def packed(data: bytes) -> list[int]:
    values, at = [], 0
    while at < len(data):
        value, at = varint(data, at)
        values.append(value)
    return values


def read(path) -> dict:
    """Returns sample types, and samples as (function names from the leaf, values)."""
    fields = message(gzip.open(path).read())
    strings = [value.decode() for field, value in fields if field == 6]
    assert strings[0] == "", "the first string is not empty"
    functions = {f[1]: strings[f[2]] for f in (dict(message(value)) for field, value in fields if field == 5)}
    locations = {}
    for location in (dict(message(value)) for field, value in fields if field == 4):
        locations[location[1]] = functions[dict(message(location[4]))[1]]
    samples = [dict(message(value)) for field, value in fields if field == 2]
    types = [dict(message(value)) for field, value in fields if field == 1]
    return {
        "types": [(strings[t[1]], strings[t[2]]) for t in types],
        "samples": [([locations[id] for id in packed(s[1])], packed(s[2])) for s in samples],
    }
