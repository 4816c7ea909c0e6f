namespace ScaleOut.Tests.Support.Runs;

/// <summary>A report of each kind, in all its forms, with a name that an attacker could choose.</summary>
internal static class SampleForms
{
    private const string Name = "<script>alert(1)</script> & | \"x\" \u0001";

    public static readonly RunSample Run = new()
    {
        Seconds = 40, ThrottledShare = 0.1, Spec = new() { Id = "sample", Documents = 20_000, Name = Name, Client = new() { Rate = 200 } },
    };

    public static ExperimentReport Experiment { get; } = ExperimentOn(simulated: true);

    public static LimitReport Limit { get; } = LimitSample.Build(LimitSample.Run(
        1_037, bound: BoundBy.RequestUnits, throttledShare: 0.06, used: new() { RequestUnits = 0.99 })) with
    { Name = Name };

    public static ExperimentReport ExperimentOn(bool simulated) => MeasuredExperiment.From(
        [("=one", 1, [100, 110], 90), ("two", 2, [200, 600], 100), ("four", 4, [390, 400], 300), ("no core", 8, [], 1_000)],
        scale: 0.5,
        findings: [
            new FindingSpec { Kind = FindingKind.ConcurrencyPeak, Variants = ["=one", "two", "four"] },
            new FindingSpec { Kind = FindingKind.TableStorage },
        ],
        simulated: simulated);

    /// <summary>The forms by their file names.</summary>
    public static IReadOnlyDictionary<string, string> From(string kind) => kind switch
    {
        "run" => From(RunForms.Kind, Run.Build()),
        "limit" => From(LimitForms.Kind, Limit),
        _ => From(ExperimentForms.Kind, Experiment),
    };

    public static IReadOnlyDictionary<string, string> From<TReport>(ReportKind<TReport> kind, TReport report)
        where TReport : class =>
        kind.Forms.ToDictionary(form => form.FileName, form => Encoding.UTF8.GetString(kind.Write(report, form.FileName)));

    public static ReportPage Page(string kind) => kind switch
    {
        "run" => RunForms.Kind.PageOf(Run.Build()),
        "limit" => LimitForms.Kind.PageOf(Limit),
        _ => ExperimentForms.Kind.PageOf(Experiment),
    };
}
