using ScaleOut.DevBox.Engine;
using ScaleOut.Experiments;
using ScaleOut.Reports;

namespace ScaleOut.DevBox.Display;

/// <summary>Shows an experiment while it goes on.</summary>
internal interface IExperimentDisplay
{
    /// <summary>Says which run is on.</summary>
    void Show(ExperimentStatus status);

    /// <summary>Shows a run until it ends, and gives back what it gave.</summary>
    Task<T> ShowWhileAsync<T>(ExperimentRun run, RunBoard board, Task<T> work);

    /// <summary>Says what a run measured.</summary>
    void Ended(ExperimentRun run, RunResult result);

    /// <summary>Says of a run that it was measured before.</summary>
    void Found(ExperimentRun run, RunReport report);
}
