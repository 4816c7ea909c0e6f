using ScaleOut.Specs;

namespace ScaleOut.Experiments;

/// <summary>A run that an experiment is about to measure.</summary>
/// <param name="Spec">The run's, with its id.</param>
/// <param name="ExperimentId">The experiment's id.</param>
/// <param name="Attempt">The experiment's attempt, from 1; from 2 on it is one that was resumed.</param>
public sealed record ExperimentRunRequest(RunSpec Spec, string ExperimentId, int Attempt);
