"""PROV documents: PROV-JSON, PROV-N and PROV-XML."""
