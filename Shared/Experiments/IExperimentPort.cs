using ScaleOut.Orchestration;

namespace ScaleOut.Experiments;

/// <summary>
/// What an engine offers to an experiment: Durable Functions, or the dev box. The orchestration awaits nothing but these tasks, so that a durable engine can
/// replay it. Every call may be repeated by an experiment that is taken up again.
/// </summary>
public interface IExperimentPort
{
    /// <summary>The engine's clock, the same at a replay.</summary>
    DateTimeOffset UtcNow { get; }

    /// <summary>Why a run cannot be measured here, such as for want of cores; null when it can. The same at a replay.</summary>
    string? WhyNotTestable(ExperimentRun run);

    /// <summary>Whether the experiment was asked to stop.</summary>
    Task<bool> IsStopRequestedAsync();

    /// <summary>Claims and runs one run as a child of its own, to its report. One that has ended before is not run again: its outcome comes back.</summary>
    /// <exception cref="RunIdInUseException">The run's id belongs to something else.</exception>
    Task<RunOutcome> RunAsync(ExperimentRun run);

    /// <summary>Waits on the engine's clock.</summary>
    Task DelayAsync(TimeSpan delay);

    /// <summary>Merges the runs' reports into the experiment's and saves it in every form (<see cref="Reporting.ExperimentReportSaver"/>).</summary>
    Task<ExperimentOutcome> SaveReportAsync(ExperimentEnding ending);

    /// <summary>Shows how far the experiment is.</summary>
    void PublishStatus(ExperimentStatus status);
}
