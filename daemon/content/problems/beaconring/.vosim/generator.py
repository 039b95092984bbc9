"""Gives the hidden inputs of the problem for a seed: calls by the name of their case, no answers.

What a case checks does not depend on the seed. Its heights do: they are exchanged for others in the
same order, and 0 stays 0; the random, the long and the largest rings are made anew.
"""

import random

HEIGHT_MAX = 1_000_000_000

# Rings with their reach.
REACHES = (
    ([5, 4, 3, 2, 1, 6], 3),
    ([5, 4, 3, 2, 1, 6], 4),
    ([5, 4, 3, 2, 1, 6], 5),
    ([5, 4, 3, 2, 1, 6], 1),
    ([6, 1, 2, 3, 4, 5], 2),
    ([3, 1, 2, 1, 3, 2], 2),
    ([3, 1, 2, 1, 3, 2], 12),
    ([4, 4, 4, 5], 2),
    ([2, 1], 1),
    ([1, 2], 20_000),
    ([7], 1),
    ([1, 3, 2, 3, 1, 4, 1], 3),
)
RUINS = (
    ([3, 0, 0, 4], 2),
    ([3, 0, 0, 4], 3),
    ([0, 3, 0, 2, 0, 4, 0], 4),
    ([0, 3, 0, 2, 0, 4, 0], 2),
    ([2, 0, 2, 0, 3], 3),
    ([5, 0, 3, 0], 2),
    ([5, 0, 3, 0], 1),
    ([0, 0, 0], 3),
    ([0, 1], 2),
    ([0, 6, 0], 9),
    ([4, 3, 0, 2, 1, 0, 5, 0], 6),
    ([1, 0, 1, 0, 2, 0, 2], 5),
)


def generate(seed):
    draw = random.Random(seed)
    return {
        "test_edges_of_reach": calls(reshaped(REACHES, draw)),
        "test_ruins_on_the_way": calls(reshaped(RUINS, draw)),
        "test_random_rings": calls(random_rings(draw, 80)),
        "test_slopes": calls(slopes(draw, 420)),
        "test_largest_ring": calls(largest_ring(draw, 15_000)),
    }


def calls(rings):
    return [["signals", [heights, reach]] for heights, reach in rings]


def reshaped(rings, draw):
    """The same rings with other heights in the same order."""
    new = [0, *sorted(draw.sample(range(1, HEIGHT_MAX), 9))]
    return [([new[height] for height in heights], reach) for heights, reach in rings]


def random_rings(draw, number):
    rings = []
    for turn in range(number):
        size, most = 2 + turn % 11, 2 + turn % 5
        heights = [int(draw.random() * (most + 1)) for _ in range(size)]
        rings.append((heights, 1 + int(draw.random() * (size + 2))))
    return rings


def slopes(draw, size):
    """Long ways down and up again, where many signals wait for one beacon."""
    tall = sorted(draw.sample(range(1, HEIGHT_MAX), size))
    down = tall[::-1]
    waves = [height for at in range(0, size, 60) for height in reversed(tall[at : at + 60])]
    half = size // 2
    return [
        (down, 20_000),
        (waves, 45),
        (down[half:] + tall[:half], 20_000),
        (tall, size - 2),
        # The last one finds its taller beacon in the middle of the next round.
        (tall[:half] + tall[half + 1 :] + [tall[half]], size),
    ]


def largest_ring(draw, size):
    """Nearly all beacons have the greatest height of the ring, so their signals are lost."""
    top = 3 + int(draw.random() * 7)
    heights = [top] * size
    for _ in range(size // 40):
        heights[int(draw.random() * size)] = int(draw.random() * top)
    # Two low ones and a ruin, before the end of the list.
    heights[-3:], heights[0] = [2, 1, 0], top
    return [(heights, 20_000)]
