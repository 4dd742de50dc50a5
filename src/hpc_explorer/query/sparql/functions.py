"""The words that SPARQL 1.1 Query knows: its functions, with what each needs and gives (sections 17.4 and 18.5.1)."""

from __future__ import annotations

AGGREGATES: dict[str, str] = {
    "COUNT": "how many",
    "SUM": "all added up",
    "AVG": "average",
    "MIN": "least",
    "MAX": "most",
    "SAMPLE": "any one",
    "GROUP_CONCAT": "all in one text",
}
"""The functions that make one value of many."""

FUNCTIONS: dict[str, str] = {
    "STR": "text of a term",
    "LANG": "language of a text",
    "LANGMATCHES": "language is or belongs to",
    "DATATYPE": "datatype of a value",
    "BOUND": "variable has a value",
    "IRI": "IRI from a text",
    "BNODE": "new blank node",
    "ABS": "number without its sign",
    "ROUND": "nearest whole number",
    "CEIL": "next whole number above",
    "FLOOR": "next whole number below",
    "RAND": "random number",
    "CONCAT": "texts put together",
    "STRLEN": "length of a text",
    "SUBSTR": "part of a text",
    "UCASE": "in capitals",
    "LCASE": "in small letters",
    "ENCODE_FOR_URI": "text as part of an IRI",
    "CONTAINS": "text contains",
    "STRSTARTS": "text starts with",
    "STRENDS": "text ends with",
    "STRBEFORE": "part of a text before",
    "STRAFTER": "part of a text after",
    "REPLACE": "text with parts replaced",
    "REGEX": "text matches a pattern",
    "YEAR": "year of a date",
    "MONTH": "month of a date",
    "DAY": "day of a date",
    "HOURS": "hours of a time",
    "MINUTES": "minutes of a time",
    "SECONDS": "seconds of a time",
    "TIMEZONE": "time zone as a duration",
    "TZ": "time zone as a text",
    "NOW": "this moment",
    "UUID": "new IRI",
    "STRUUID": "new identifier",
    "MD5": "checksum",
    "SHA1": "checksum",
    "SHA256": "checksum",
    "SHA384": "checksum",
    "SHA512": "checksum",
    "COALESCE": "first that has a value",
    "IF": "one or the other",
    "STRLANG": "text in a language",
    "STRDT": "text with a datatype",
    "SAMETERM": "the very same term",
    "ISIRI": "is an IRI",
    "ISBLANK": "is a blank node",
    "ISLITERAL": "is a literal",
    "ISNUMERIC": "is a number",
}
"""The functions of expressions, and what they are for in a few words."""

WITHOUT_ARGUMENTS = frozenset({"RAND", "NOW", "UUID", "STRUUID"})
"""Functions that take nothing."""

DATATYPES = (
    "string",
    "integer",
    "decimal",
    "double",
    "float",
    "boolean",
    "date",
    "dateTime",
    "gYear",
    "duration",
    "anyURI",
)
"""The datatypes of XML Schema that SPARQL computes with, and others that are common, by their local names."""

UPDATES = frozenset({"INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH"})
"""What an update begins with (SPARQL 1.1 Update)."""
