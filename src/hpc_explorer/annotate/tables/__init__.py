"""Convert tables to statements, row by row, by a mapping of columns to properties.

mapping = read_mapping(Path("machines.yaml"))
with open_table(Path("machines.csv")) as table:
    conversion = Conversion(mapping, table)
    write_quads(conversion.quads(), Path("machines.nq"))
conversion.rejects       what could not be converted, and why
"""
