"""A picture of part of the graph as a value. No Qt.

    scene       what the picture is about: nodes and edges, as plain texts
    layout      → places: `arrange` (layered, tree or star)
    picture     → primitives in the colours of a theme: `draw`; `page.sheet` adds title and legend
    svg, png    → files; the window plays the same primitives

Beside them: `text` (measuring and cutting), `palette` (colours), `card` (the look of a node), `camera` (which part is
visible), `walk` (finding one's way by place and by arrow keys).
"""
