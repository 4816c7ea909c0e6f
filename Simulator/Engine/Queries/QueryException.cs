namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>A query that is malformed or beyond what is simulated; the service's answer is 400.</summary>
#pragma warning disable CA1032, CA1064 // Never constructed without a message, never leaves this assembly.
internal sealed class QueryException(string message) : Exception(message);
#pragma warning restore CA1032, CA1064
