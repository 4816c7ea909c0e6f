namespace ScaleOut.Specs;

/// <summary>One thing that is wrong with a plan.</summary>
/// <param name="Path">Where, such as <c>workerOverrides[1].workers[0]</c>; empty for the plan as a whole.</param>
/// <param name="Message">What, in one line, such as <c>0 is out of range 1..100000</c>.</param>
/// <param name="BeyondSchema">Whether the JSON schema cannot see it: rules across fields, ranges of durations, fields that are given twice.</param>
public sealed record SpecFault(string Path, string Message, bool BeyondSchema = false)
{
    public override string ToString() => Path.Length == 0 ? Message : $"{Path}: {Message}";
}
