namespace ScaleOut.Workers.Documents;

/// <summary>A row as it becomes a document.</summary>
/// <param name="Key">Value of the key column.</param>
/// <param name="Json">Its properties, the first one after a comma: an id stands before them.</param>
internal readonly record struct CsvRow(string Key, byte[] Json);
