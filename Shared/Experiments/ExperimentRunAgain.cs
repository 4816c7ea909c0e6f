using ScaleOut.Specs;

namespace ScaleOut.Experiments;

/// <summary>A run of an experiment that is taken up again.</summary>
/// <param name="Spec">The run's, with its id.</param>
/// <param name="ExperimentId">The experiment's id.</param>
/// <param name="Attempt">The experiment's attempt, from 2.</param>
public sealed record ExperimentRunAgain(RunSpec Spec, string ExperimentId, int Attempt);
