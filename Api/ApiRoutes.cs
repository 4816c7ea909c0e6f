namespace ScaleOut.Api;

/// <summary>
/// The paths of the HTTP interface below <see cref="Prefix"/>, as ASP.NET Core and the Function App's triggers take them and as responses
/// link to them.
/// </summary>
public static class ApiRoutes
{
    /// <summary>First part of every path; of a Function App it stands in <c>host.json</c>.</summary>
    public const string Prefix = "api";

    public const string Runs = "runs";
    public const string Run = Runs + Id;
    public const string RunReport = Run + Report;
    public const string StopRun = Run + Stop;
    public const string ResumeRun = Run + Resume;

    public const string Experiments = "experiments";
    public const string Experiment = Experiments + Id;
    public const string ExperimentReport = Experiment + Report;
    public const string StopExperiment = Experiment + Stop;
    public const string ResumeExperiment = Experiment + Resume;

    public const string Compare = "compare";

    internal const string Report = "/report";
    internal const string Stop = "/stop";
    internal const string Resume = "/resume";
    internal const string Id = "/{id}";
}
