namespace ScaleOut.Orchestrator.Tests;

/// <summary>
/// Tests that go on alone, after all others: they change the environment of the process, or count what an app sends, to which listeners of
/// the whole process add what other apps do.
/// </summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public sealed class Alone;
