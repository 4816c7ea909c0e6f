namespace ScaleOut.Workers.Documents;

/// <summary>An airport of generated flights.</summary>
/// <param name="Code">IATA code.</param>
/// <param name="City">City that it serves.</param>
/// <param name="State">Two letters.</param>
/// <param name="Number">Its number in the rows.</param>
internal sealed record Airport(string Code, string City, string State, int Number);
