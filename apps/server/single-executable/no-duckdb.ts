throw new Error('The single executable application comes without DuckDB.');
