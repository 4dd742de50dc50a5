"""Make runs/ by tensorboardX 2.6 and flowcept.jsonl by flowcept 1.0: `python make_others.py tensorboard|flowcept`.

pipeline/ was made by `dvc repro` (DVC 3.67) and by `snakemake -c1` (Snakemake 9.27) in a folder with these rules.
"""

import sys


def tensorboard():
    from tensorboardX import SummaryWriter

    writer = SummaryWriter("runs/train")
    for step in range(3):
        writer.add_scalar("loss", 1 / (step + 1), step)
        writer.add_scalar("accuracy", step / 3, step)
    writer.add_text("note", "hello", 0)
    writer.close()


def flowcept():
    from flowcept import Flowcept, flowcept_task

    @flowcept_task(output_names="y")
    def double(x):
        return 2 * x

    @flowcept_task(output_names="z")
    def add(y, k):
        return y + k

    with Flowcept(workflow_name="two steps", start_persistence=False, save_workflow=True):
        add(double(3), 1)


{"tensorboard": tensorboard, "flowcept": flowcept}[sys.argv[1]]()
