"""The window: the only place that knows Qt. It shows what `app.operations` returns and takes the clicks."""
