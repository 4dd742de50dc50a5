"""HTTP and the SPARQL protocol: requests, results, logins, the answer cache, and `SERVICE`."""
