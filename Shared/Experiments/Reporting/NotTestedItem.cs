namespace ScaleOut.Experiments.Reporting;

/// <summary>Something that the experiment asks for and cannot say anything about.</summary>
/// <param name="What">Such as <c>variant "test 9"</c>.</param>
/// <param name="Why">In a few words.</param>
public sealed record NotTestedItem(string What, string Why);
