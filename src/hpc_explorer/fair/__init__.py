"""Assess how findable, accessible, interoperable and reusable a dataset or model is.

The hybrid assessment of Lin et al. 2022, "Making Machine Learning Datasets and Models FAIR for HPC: A Methodology and
Case Study" (Table II): 41 maturity indicators of the RDA and 17 metrics of F-UJI, merged into 47 indicators.
"""
