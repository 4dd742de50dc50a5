"""Questions 1, 5 and 7 of seed 004 (section 2), with PROV-ML and without, for the graph of `provml_graph.py`.

With PROV-ML a class says what a thing is. Without it (section 5.4) the thing has a class of PROVLake, and what it is
stands at the plan that it followed, as a tag or a name: three clauses more for each.
"""

from __future__ import annotations

from provml_graph import model_of, slices_of

_PREFIXES = """\
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX prov: <http://www.w3.org/ns/prov#>
PREFIX provlake: <https://example.org/provlake#>
PREFIX provml: <https://example.org/provml#>
PREFIX dom: <https://example.org/dom#>
"""
_STEP = ("provlake:DataTransformationExecution", "prov:wasInfluencedBy", "provlake:DataTransformation")
_VALUE = ("provlake:AttributeValue", "prov:wasDerivedFrom", "provlake:Attribute")

# What a thing is: its class in PROV-ML; or its class, the way to its plan, the plan's class, and what stands there.
_KINDS = {
    "training": ("provml:TrainingExecution", *_STEP, 'provlake:tag "Training"'),
    "validation": ("provml:ValidationExecution", *_STEP, 'provlake:tag "Validation"'),
    "epoch": ("provml:TrainingSectionExecution", *_STEP, 'rdfs:label "Epoch Execution"'),
    "validated": ("provml:ValidationSectionExecution", *_STEP, 'rdfs:label "Epoch Execution"'),
    "data": ("provml:LearningDataset", *_VALUE, 'provlake:tag "Learning Dataset"'),
    "model": ("provml:Model", *_VALUE, 'provlake:tag "Model"'),
    "score": ("provml:ModelEvaluation", *_VALUE, 'provlake:tag "Model Evaluation"'),
    "setting": ("provml:ModelHyperparameterValue", *_VALUE, 'provlake:tag "Hyperparameter"'),
}


def questions(scale: str, *, with_provml: bool, workflow: int = 0) -> dict[str, str]:
    """The three questions as SPARQL 1.1, about one of the eight workflows, by their numbers in the paper."""

    def is_a(kind: str, variable: str) -> str:
        cls, plain, to_plan, plan, fact = _KINDS[kind]
        if with_provml:
            return f"?{variable} a {cls} ."
        return f"?{variable} a {plain} ; {to_plan} ?{variable}Plan . ?{variable}Plan a {plan} ; {fact} ."

    first, last = slices_of(workflow)
    training = f"""
      ?begin prov:value {first} ; prov:wasDerivedFrom/rdfs:label "slice_start" .
      ?end prov:value {last} ; prov:wasDerivedFrom/rdfs:label "slice_end" .
      ?preparation prov:used ?begin , ?end .
      ?data prov:wasGeneratedBy ?preparation . {is_a("data", "data")}
      ?training prov:used ?data . {is_a("training", "training")}
      ?epoch prov:wasInformedBy ?training . {is_a("epoch", "epoch")}
      ?model prov:wasGeneratedBy ?epoch . {is_a("model", "model")}
      ?score prov:wasGeneratedBy ?epoch ; prov:value ?accuracy . {is_a("score", "score")}"""
    texts = {
        # From a model back to the raw seismic file, and what is known of it.
        "Q1": f"""SELECT DISTINCT ?raw ?coordinates ?basin ?field ?slices WHERE {{
      <{model_of(scale)}> prov:wasGeneratedBy/prov:wasInformedBy ?training . {is_a("training", "training")}
      ?training prov:used ?data . {is_a("data", "data")}
      ?data (prov:wasGeneratedBy/prov:used)+ ?raw .
      ?raw provlake:refersTo ?survey .
      ?survey dom:coordinates ?coordinates ; dom:oilBasin ?basin ; dom:oilField ?field ; dom:sliceCount ?slices . }}""",
        # For each epoch the mean time of a batch in seconds, and how good its model was.
        "Q5": f"""SELECT ?epoch ?model ?accuracy (AVG(?seconds) AS ?mean) WHERE {{{training}
      ?batch prov:wasInformedBy ?epoch ; prov:startedAtTime ?from ; prov:endedAtTime ?to .
      BIND(3600 * (HOURS(?to) - HOURS(?from)) + 60 * (MINUTES(?to) - MINUTES(?from))
           + SECONDS(?to) - SECONDS(?from) AS ?seconds) }}
    GROUP BY ?epoch ?model ?accuracy""",
        # For each trained model its least loss and its settings, beside those of the model validated from it.
        "Q7": f"""SELECT ?model ?rate ?accuracy ?validRate ?validAccuracy (MIN(?loss) AS ?least) WHERE {{{training}
      ?setting prov:wasGeneratedBy ?epoch ; prov:value ?rate . {is_a("setting", "setting")}
      ?batch prov:wasInformedBy ?epoch .
      ?measured prov:wasGeneratedBy ?batch ; prov:value ?loss .
      ?validModel prov:wasDerivedFrom ?model ; prov:wasGeneratedBy ?validEpoch .
      ?validEpoch prov:wasInformedBy ?validation . {is_a("validated", "validEpoch")} {is_a("validation", "validation")}
      ?validSetting prov:wasGeneratedBy ?validEpoch ; prov:value ?validRate . {is_a("setting", "validSetting")}
      ?validScore prov:wasGeneratedBy ?validEpoch ; prov:value ?validAccuracy . {is_a("score", "validScore")} }}
    GROUP BY ?model ?rate ?accuracy ?validRate ?validAccuracy ORDER BY DESC(?validAccuracy) ?least""",
    }
    return {name: _PREFIXES + text for name, text in texts.items()}
