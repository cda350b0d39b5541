"""The seal of checkpoints and of meshes decomposed beforehand, as docs/checkpoints.md has it."""
import functools
import re
import struct

BLOCK = 512  # bytes of the seal; what follows is sealed
ALL_BITS = 2**64 - 1


def mix(x):
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9 & ALL_BITS
    x = (x ^ x >> 27) * 0x94d049bb133111eb & ALL_BITS
    return x ^ x >> 31


def combine(seed, value):
    return mix(seed + 0x9e3779b97f4a7c15 + mix(value + 0x632be59bd9b4e019 & ALL_BITS) & ALL_BITS)


@functools.cache
def of_places(count):
    return [mix(k + 1) for k in range(count)]


def seal(first_line, file, run=b""):
    """The first bytes of a file of these, of which only those that follow matter."""
    rest = file[BLOCK:] + bytes(-len(file) % 8)
    words = struct.unpack(f"<{len(rest) // 8}Q", rest)
    total = sum(mix(word ^ place) for word, place in zip(words, of_places(len(words)))) & ALL_BITS
    for letter in run:
        total = combine(total, letter)
    text = first_line + b"\nbytes %d\nhash %016x\n" % (len(file), total) + (b"run " + run + b"\n" if run else b"")
    return text + b"\n" * (BLOCK - len(text))


def is_whole(file):
    """Has the file the seal of its bytes?"""
    first_line = re.match(rb"sunder (?:checkpoint|mesh), format \d+(?=\n)", file)
    run = re.search(rb"^run (\w+)$", file[:BLOCK], re.MULTILINE)
    return bool(first_line) and file[:BLOCK] == seal(first_line[0], file, run[1] if run else b"")
