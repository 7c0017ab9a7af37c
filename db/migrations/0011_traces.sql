ALTER TABLE encoding_jobs ADD COLUMN traceparent text;
-- Apart from the column, because the default of a new column is computed for each row.
ALTER TABLE encoding_jobs ALTER COLUMN traceparent
  SET DEFAULT substring(current_query() from 'traceparent=''(00-[0-9a-f]{32}-[0-9a-f]{16}-01)''');
