"""The rules of the grammar, by what they are about."""

from hpc_explorer.language.rules import amounts, counts, lineage, negation, superlatives, tables, things

RULES = (things.RULES, lineage.RULES, amounts.RULES, negation.RULES, superlatives.RULES, counts.RULES, tables.RULES)
