using System.Globalization;
using ScaleOut.Analysis.Calibration;
using ScaleOut.Profiles;

namespace ScaleOut.Tests.Analysis.Calibration;

/// <summary>The proof of the estimators: 200 seeded calibrations of physics that are known, each with other physics.</summary>
public sealed class CoverageTests(ITestOutputHelper output)
{
    private const int Calibrations = 200;
    private const double LeastCoverage = 0.93;

    private readonly Dictionary<string, (int Covered, int All)> _coverage = [];

    [Fact]
    public void Estimate_KnownLatency_IntervalsCoverTheTruth()
    {
        for (var seed = 0; seed < Calibrations; seed++)
        {
            var known = new KnownLatency(seed);
            var figures = LatencyEstimator.Estimate(known.Samples());
            var typical = known.Quantile(LatencyKind.Write, 0.5) / known.Profile.WriteMedianMs;
            Count("round trip", figures.RoundTripMs, known.Profile.RoundTripMs);
            Count("gateway hop", figures.GatewayHopMs, known.Profile.GatewayHopMs);
            Count("load factor", figures.LoadFactor, known.Profile.LoadFactor);
            // A figure beside the median of all operations, of which those in the tail are some.
            Count("ms per KB", figures.PerKilobyteMs, known.Profile.PerKilobyteMs * typical);
            Count("ms per batch operation", figures.PerBatchOperationMs, known.Profile.PerBatchOperationMs * typical);
            Count(known, LatencyKind.Write, figures.Write);
            Count(known, LatencyKind.Read, figures.Read);
        }

        AssertCovered();
    }

    [Fact]
    public void Estimate_KnownCharges_IntervalsCoverTheTruth()
    {
        for (var seed = 0; seed < Calibrations; seed++)
        {
            var known = new KnownCharges(seed);
            var figures = ChargeEstimator.Estimate(known.Observations());
            foreach (var (truth, read) in known.Model.ReadPoints.Zip(figures.Reads))
                Count($"read of {truth.Bytes / 1_024} KB", read.RequestUnits, truth.RequestUnits);
            foreach (var (truth, write) in known.Model.WritePoints.Zip(figures.Writes))
                Count($"write of {truth.Bytes / 1_024} KB", write.RequestUnits, truth.RequestUnits);
            Count("RU per indexed term", figures.PerIndexedTerm, known.Model.IndexedTerm);
            Count("RU per patched property", figures.PerPatchedProperty, known.Model.PatchedProperty);
            Count("RU per query page", figures.PerQueryPage, known.Model.Query.Page);
            Count("RU per look-up", figures.PerIndexLookup, known.Model.Query.Lookup);
            Count("share of a loaded document", figures.LoadedShare, known.Model.Query.LoadedShare);
            Count("share of a returned document", figures.ReturnedShare, known.Model.Query.ReturnedShare);
        }

        AssertCovered();
    }

    [Fact]
    public void Estimate_KnownThrottling_IntervalsCoverTheTruth()
    {
        for (var seed = 0; seed < Calibrations; seed++)
        {
            var known = new KnownThrottling(seed);
            var (admitted, retryAfter) = known.Load(seconds: 20, idleSeconds: 0, burst: false);
            var range = ThrottlingEstimator.RetryAfter(retryAfter);
            Count("shortest retry-after", range?.Min, known.Throttling.RetryAfterMinMs);
            // No 429 asks to wait longer than the factor makes of a whole second and of the debt of one operation.
            var longest = Math.Min(known.Throttling.RetryAfterMaxMs, 1_000 * (1 + known.Throttling.RetryAfterSpread));
            Count("longest retry-after", range?.Max, longest);

            var figures = ThrottlingEstimator.Admitted(admitted);
            Count("RU admitted per second", figures.PerSecond, known.PerSecond);
            var truth = ThrottlingEstimator.Admitted(known.Load(seconds: 400, idleSeconds: 0, burst: false).Admitted).PerTenth;
            for (var tenth = 0; tenth < truth.Count; tenth++)
                Count("RU admitted per 100 ms", figures.PerTenth[tenth], truth[tenth].Value);

            var burst = known.Load(seconds: 30, KnownThrottling.IdleSeconds, known.Burst).Admitted;
            Count(
                "RU of burst after idling", ThrottlingEstimator.Burst(burst, known.PerSecond),
                known.Burst ? KnownThrottling.IdleSeconds * known.PerSecond : 0);
        }

        AssertCovered();
    }

    private void Count(KnownLatency known, LatencyKind kind, ServiceFigures? figures)
    {
        Assert.NotNull(figures);
        Count($"{kind} median", figures.MedianMs, known.Quantile(kind, 0.5));
        Count($"{kind} log standard deviation", figures.LogStandardDeviation, known.Profile.LogStandardDeviation);
        Count($"{kind} tail share", figures.TailShare, known.Profile.TailShare);
        if (known.Profile.TailShare > 0)
            Count($"{kind} tail factor", figures.TailFactor, known.Profile.TailFactor);
        Assert.Equal(LatencyEstimator.Probabilities, figures.Quantiles.Select(quantile => quantile.Probability));
        foreach (var quantile in figures.Quantiles)
        {
            var name = FormattableString.Invariant($"{kind} p{100 * quantile.Probability:0.##}");
            Count(name, quantile.Ms, known.Quantile(kind, quantile.Probability));
        }
    }

    private void Count(string name, MeasuredFigure? figure, double truth)
    {
        Assert.NotNull(figure);
        Assert.True(figure.Low <= figure.Value && figure.Value <= figure.High && figure.Count > 0, $"{name}: {figure}");
        var (covered, all) = _coverage.GetValueOrDefault(name);
        _coverage[name] = (covered + (figure.Covers(truth) ? 1 : 0), all + 1);
    }

    private void AssertCovered()
    {
        foreach (var (name, (covered, all)) in _coverage)
        {
            var share = 100.0 * covered / all;
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{name,-32} {covered,5} of {all,5}  {share,5:0.0}%"));
        }

        Assert.All(_coverage, one => Assert.True(
            one.Value.Covered >= LeastCoverage * one.Value.All, $"{one.Key}: {one.Value.Covered} of {one.Value.All}"));
    }
}
