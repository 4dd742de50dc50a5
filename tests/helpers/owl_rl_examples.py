"""An example of each rule of OWL 2 RL. The names are those of the tables 4 to 9 of OWL 2 Profiles, section 4.3."""

from __future__ import annotations

RESTRICTION = "ex:R owl:onProperty ex:p ; "
RULES_BY_HAND: list[tuple[str, str, str]] = [
    ("eq-sym", "ex:x owl:sameAs ex:y", "ex:y owl:sameAs ex:x"),
    ("eq-trans", "ex:x owl:sameAs ex:y . ex:y owl:sameAs ex:z", "ex:x owl:sameAs ex:z"),
    ("eq-rep-s", "ex:x owl:sameAs ex:y . ex:x ex:p 1", "ex:y ex:p 1"),
    ("eq-rep-p", "ex:p owl:sameAs ex:q . ex:x ex:p ex:y", "ex:x ex:q ex:y"),
    ("eq-rep-o", "ex:x owl:sameAs ex:y . ex:z ex:p ex:x", "ex:z ex:p ex:y"),
    ("eq-rep-o", "ex:C owl:sameAs ex:D . ex:x a ex:C", "ex:x a ex:D"),
    ("prp-fp", "ex:p a owl:FunctionalProperty . ex:x ex:p ex:y , ex:z", "ex:y owl:sameAs ex:z"),
    ("prp-ifp", "ex:p a owl:InverseFunctionalProperty . ex:x ex:p ex:z . ex:y ex:p ex:z", "ex:x owl:sameAs ex:y"),
    ("prp-spo2", "ex:p owl:propertyChainAxiom (ex:q ex:r) . ex:x ex:q ex:y . ex:y ex:r ex:z", "ex:x ex:p ex:z"),
    (
        "prp-key",
        "ex:C owl:hasKey (ex:p ex:q) . ex:x a ex:C ; ex:p 1 ; ex:q 2 . ex:y a ex:C ; ex:p 1 ; ex:q 2",
        "ex:x owl:sameAs ex:y",
    ),
    ("cls-int1", "ex:C owl:intersectionOf (ex:D ex:E) . ex:x a ex:D , ex:E", "ex:x a ex:C"),
    ("cls-int2", "ex:C owl:intersectionOf (ex:D ex:E) . ex:x a ex:C", "ex:x a ex:E"),
    ("cls-uni", "ex:C owl:unionOf (ex:D ex:E) . ex:x a ex:E", "ex:x a ex:C"),
    ("cls-oo", "ex:C owl:oneOf (ex:x ex:y)", "ex:y a ex:C"),
    ("cls-svf1", RESTRICTION + "owl:someValuesFrom ex:C . ex:x ex:p ex:y . ex:y a ex:C", "ex:x a ex:R"),
    ("cls-svf1", RESTRICTION + "owl:someValuesFrom xsd:decimal . ex:x ex:p 5", "ex:x a ex:R"),
    ("cls-svf2", RESTRICTION + "owl:someValuesFrom owl:Thing . ex:x ex:p ex:y", "ex:x a ex:R"),
    ("cls-avf", RESTRICTION + "owl:allValuesFrom ex:C . ex:x a ex:R ; ex:p ex:y", "ex:y a ex:C"),
    ("cls-hv1", RESTRICTION + "owl:hasValue ex:y . ex:x a ex:R", "ex:x ex:p ex:y"),
    ("cls-hv2", RESTRICTION + "owl:hasValue ex:y . ex:x ex:p ex:y", "ex:x a ex:R"),
    ("cls-maxc2", RESTRICTION + "owl:maxCardinality 1 . ex:x a ex:R ; ex:p ex:y , ex:z", "ex:y owl:sameAs ex:z"),
    (
        "cls-maxqc3",
        RESTRICTION
        + "owl:maxQualifiedCardinality 1 ; owl:onClass ex:C . ex:x a ex:R ; ex:p ex:y , ex:z . ex:y a ex:C . ex:z a ex:C",
        "ex:y owl:sameAs ex:z",
    ),
    (
        "cls-maxqc4",
        RESTRICTION + "owl:maxQualifiedCardinality 1 ; owl:onClass owl:Thing . ex:x a ex:R ; ex:p ex:y , ex:z",
        "ex:y owl:sameAs ex:z",
    ),
    ("scm-int", "ex:C owl:intersectionOf (ex:D ex:E)", "ex:C rdfs:subClassOf ex:E"),
    ("scm-uni", "ex:C owl:unionOf (ex:D ex:E)", "ex:E rdfs:subClassOf ex:C"),
    (
        "scm-hv",
        RESTRICTION + "owl:hasValue ex:y . ex:S owl:onProperty ex:q ; owl:hasValue ex:y . ex:p rdfs:subPropertyOf ex:q",
        "ex:R rdfs:subClassOf ex:S",
    ),
    *(
        (
            f"scm-{short}1",
            RESTRICTION + f"owl:{name} ex:C . ex:S owl:onProperty ex:p ; owl:{name} ex:D . ex:C rdfs:subClassOf ex:D",
            "ex:R rdfs:subClassOf ex:S",
        )
        for short, name in (("svf", "someValuesFrom"), ("avf", "allValuesFrom"))
    ),
    (
        "scm-svf2",
        RESTRICTION
        + "owl:someValuesFrom ex:C . ex:S owl:onProperty ex:q ; owl:someValuesFrom ex:C . ex:p rdfs:subPropertyOf ex:q",
        "ex:R rdfs:subClassOf ex:S",
    ),
    (
        "scm-avf2",
        RESTRICTION
        + "owl:allValuesFrom ex:C . ex:S owl:onProperty ex:q ; owl:allValuesFrom ex:C . ex:p rdfs:subPropertyOf ex:q",
        "ex:S rdfs:subClassOf ex:R",
    ),
    # What scm-cls, scm-op and scm-dp say is left out where it is trivial; it is a premise all the same.
    ("scm-cls", "ex:C a owl:Class . ex:C owl:sameAs ex:D", "ex:C rdfs:subClassOf ex:D"),
    ("scm-op", "ex:p a owl:ObjectProperty . ex:p owl:sameAs ex:q", "ex:p rdfs:subPropertyOf ex:q"),
    ("scm-dp", "ex:p a owl:DatatypeProperty . ex:p owl:sameAs ex:q", "ex:p rdfs:subPropertyOf ex:q"),
]
"""Rule, a graph in Turtle, and a conclusion of the rule from it."""

CONTRADICTIONS: list[tuple[str, str, int]] = [
    ("eq-diff1", "ex:x owl:sameAs ex:y ; owl:differentFrom ex:y", 2),
    ("eq-diff2", "[] a owl:AllDifferent ; owl:members (ex:x ex:y ex:z) . ex:x owl:sameAs ex:z", 3),
    ("eq-diff3", "[] a owl:AllDifferent ; owl:distinctMembers (ex:x ex:y) . ex:x owl:sameAs ex:y", 3),
    ("prp-irp", "ex:p a owl:IrreflexiveProperty . ex:x ex:p ex:x", 2),
    ("prp-asyp", "ex:p a owl:AsymmetricProperty . ex:x ex:p ex:y . ex:y ex:p ex:x", 3),
    ("prp-pdw", "ex:p owl:propertyDisjointWith ex:q . ex:x ex:p ex:y ; ex:q ex:y", 3),
    ("prp-adp", "[] a owl:AllDisjointProperties ; owl:members (ex:r ex:p ex:q) . ex:x ex:p ex:y ; ex:q ex:y", 4),
    (
        "prp-npa1",
        "[] owl:sourceIndividual ex:x ; owl:assertionProperty ex:p ; owl:targetIndividual ex:y . ex:x ex:p ex:y",
        4,
    ),
    ("prp-npa2", "[] owl:sourceIndividual ex:x ; owl:assertionProperty ex:p ; owl:targetValue 1 . ex:x ex:p 1", 4),
    ("cls-nothing2", "ex:x a owl:Nothing", 1),
    ("cls-com", "ex:C owl:complementOf ex:D . ex:x a ex:C , ex:D", 3),
    ("cls-maxc1", RESTRICTION + "owl:maxCardinality 0 . ex:x a ex:R ; ex:p ex:y", 4),
    (
        "cls-maxqc1",
        RESTRICTION + "owl:maxQualifiedCardinality 0 ; owl:onClass ex:C . ex:x a ex:R ; ex:p ex:y . ex:y a ex:C",
        6,
    ),
    ("cls-maxqc2", RESTRICTION + "owl:maxQualifiedCardinality 0 ; owl:onClass owl:Thing . ex:x a ex:R ; ex:p 1", 5),
    ("cax-dw", "ex:C owl:disjointWith ex:D . ex:x a ex:C , ex:D", 3),
    ("cax-adc", "[] a owl:AllDisjointClasses ; owl:members (ex:B ex:C ex:D) . ex:x a ex:C , ex:D", 4),
    ("dt-not-type", "ex:x ex:p 'soon'^^xsd:integer", 1),
    ("prp-fp", "ex:p a owl:FunctionalProperty . ex:x ex:p 1 , 2", 3),
]
"""Rule, a graph in Turtle that it finds contradictory, and how many statements take part."""
