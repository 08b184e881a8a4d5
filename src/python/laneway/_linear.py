"""Owners and elements of a linear layout, computed from its bases without the program."""

from __future__ import annotations

from typing import Dict, List, Mapping, Optional, Sequence, Tuple

Sizes = Sequence[Tuple[str, int]]

# Layouts with more than this many values of one dim, or owners of one element, are left to the program.
_MOST = 1 << 12


def _bits(size: int) -> int:
    """The number of bits of the indices below a power of two."""
    return size.bit_length() - 1


def _offsets(sizes: Sequence[int]) -> List[int]:
    """The first bit of each dim in an int that has the bits of all dims, the first dim lowest."""
    offsets = [0]
    for size in sizes:
        offsets.append(offsets[-1] + _bits(size))
    return offsets


def _table(bases: Sequence[int]) -> List[int]:
    """The image of each index, from the images of its bits."""
    table = [0]
    for basis in bases:
        table += [image ^ basis for image in table]
    return table


class Linear:
    """A linear layout that is onto: hardware indices and elements are ints, the bits of all their dims.

    The image of an index is the xor of the bases of its bits. `images` has it for each value of each
    hardware dim; `owners` has an owner for each value of each dim of the tensor, and `copies` what
    leads from one owner of an element to the others.
    """

    def __init__(self, hardware: Sizes, shape: Sizes, bases: Sequence[int]) -> None:
        self.hardware = [(name, size) for name, size in hardware]
        self.shape = [size for _, size in shape]
        self._inputs = _offsets([size for _, size in hardware])
        self._outputs = _offsets(self.shape)
        self.images = [_table(bases[first:end]) for first, end in zip(self._inputs, self._inputs[1:])]
        solved, self.copies = _solve(bases, self._outputs[-1])
        self.owners = [_table(solved[first:end]) for first, end in zip(self._outputs, self._outputs[1:])]

    def element_at(self, index: Mapping[str, int]) -> Optional[Tuple[int, ...]]:
        """The element at an index, whose other dims are 0; None: the index is wrong."""
        image = taken = 0
        for (name, size), images in zip(self.hardware, self.images):
            value = index.get(name)
            if value is not None:
                if not 0 <= value < size:
                    return None
                image ^= images[value]
                taken += 1
        if taken != len(index):
            return None
        return tuple(image >> first & size - 1 for first, size in zip(self._outputs, self.shape))

    def owners_of(self, element: Sequence[int]) -> Optional[List[Dict[str, int]]]:
        """The hardware indices of an element, ascending; None: it is not one of the tensor."""
        if len(element) != len(self.shape):
            return None
        owner = 0
        for coordinate, size, owners in zip(element, self.shape, self.owners):
            if not 0 <= coordinate < size:
                return None
            owner ^= owners[coordinate]
        places = [(name, first, size - 1) for (name, size), first in zip(self.hardware, self._inputs)]
        return [{name: (owner ^ copy) >> first & mask for name, first, mask in places}
                for copy in self.copies]


def _solve(bases: Sequence[int], outputs: int) -> Tuple[List[int], List[int]]:
    """The least index whose image is each bit of an element, and all indices whose image is 0.

    The bases are eliminated from the lowest index up: one that the others cannot express stays, one
    that they can is an index of 0, whose highest bit no other index needs.
    """
    rows: Dict[int, Tuple[int, int]] = {}  # by the highest bit of the image: the image, its index
    zeros: List[int] = []
    for bit, image in enumerate(bases):
        index = 1 << bit
        while image:
            row = rows.get(image.bit_length())
            if row is None:
                rows[image.bit_length()] = (image, index)
                break
            image, index = image ^ row[0], index ^ row[1]
        else:
            zeros.append(index)
    solved = []
    for bit in range(outputs):
        image, index = 1 << bit, 0
        while image:
            row = rows[image.bit_length()]
            image, index = image ^ row[0], index ^ row[1]
        solved.append(index)
    return solved, _table(zeros)


def linear(hardware: Sizes, shape: Sizes, bases: Mapping[str, Sequence[Sequence[int]]]) -> Optional[Linear]:
    """The layout of these bases, by dims of hardware indices in order; None: it is left to the program."""
    sizes = [size for _, size in [*hardware, *shape]]
    if any(size < 1 or size & size - 1 or size > _MOST for size in sizes):
        return None
    images = [basis for of_dim in bases.values() for basis in of_dim]
    inputs = sum(_bits(size) for _, size in hardware)
    offsets = _offsets([size for _, size in shape])
    if inputs != len(images) or inputs - offsets[-1] > _bits(_MOST):
        return None
    return Linear(hardware, shape, [sum(part << first for part, first in zip(image, offsets))
                                    for image in images])
