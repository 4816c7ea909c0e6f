using System.Globalization;
using System.Text.Json;
using ScaleOut.Charges;
using ScaleOut.Json;
using ScaleOut.Specs;
using ScaleOut.Specs.Reading;

namespace ScaleOut.Tests.Shared.Specs;

public sealed class PhysicsParametersTests
{
    /// <summary>What a profile has when no field has its default, so that none is left out of its JSON.</summary>
    private static readonly SimulationSpec Start = new()
    {
        Latency = LatencyProfile.SameRegion with
        {
            Name = null, LogStandardDeviation = 1, PerKilobyteMs = 1, PerBatchOperationMs = 2, LoadFactor = 3, TailShare = 0.5,
            TailFactor = 6,
        },
        Throttling = new ThrottlingSpec { RetryAfterMaxMs = 3_000, RetryAfterSpread = 0.25 },
        Charges = new ChargeSpec { PerIndexedTerm = 0.3, PerQueryPage = 5 },
    };

    public static TheoryData<string> Names =>
        [.. PhysicsParameters.All.Where(parameter => !parameter.IsFactor).Select(parameter => parameter.Name)];

    [Theory, MemberData(nameof(Names))]
    public void ValueOf_AppliedValue_IsThatValue(string name)
    {
        var parameter = PhysicsParameters.All.Single(one => one.Name == name);

        Assert.Equal(parameter.Default, parameter.ValueOf(new RunSpec()), 9);
        Assert.Equal(parameter.High, parameter.ValueOf(new RunSpec { Simulation = parameter.Apply(Start, parameter.High) }), 9);
    }

    [Theory]
    [InlineData(10, 0.6, 6)]
    [InlineData(10, 1, 10)]
    [InlineData(10, 3, 30)]
    [InlineData(2, 0.6, 2)]
    [InlineData(1, 0.6, 1)]
    [InlineData(20, 3, 32)]
    [InlineData(100, 3, 100)]
    public void PartitionsAt_AFactor_GivesEachNoMoreThanItCanServe(int partitions, double factor, int expected) =>
        Assert.Equal(expected, PhysicsParameters.PartitionsAt(partitions, factor));

    [Fact]
    public void At_WideRange_GoesInEqualFactors()
    {
        var (wide, narrow) = (Named("latency.gatewayHopMs"), Named("latency.tailShare"));

        Assert.Equal((0.2, 6), (wide.At(0), Math.Round(wide.At(1), 9)));
        Assert.Equal(Math.Sqrt(0.2 * 6), wide.At(0.5), 9);
        Assert.Equal(wide.At(0.5), wide.Between(wide.Low, wide.High), 9);
        Assert.Equal(0.01, narrow.At(0.5), 9);
        Assert.Equal(0.015, narrow.Between(0.01, 0.02), 9);
    }

    [Theory, MemberData(nameof(Names))]
    public void Apply_EitherEnd_ChangesItsFieldAloneAndStaysValid(string name)
    {
        var parameter = PhysicsParameters.All.Single(one => one.Name == name);
        Assert.InRange(parameter.Default, parameter.Low, parameter.High);

        foreach (var value in new[] { parameter.Low, parameter.High })
        {
            var changed = parameter.Apply(Start, value);

            Assert.Empty(RunSpecReader.Check(new RunSpec { Simulation = changed }).Errors);
            var (before, after) = (Fields(Start), Fields(changed));
            Assert.Equal([name], before.Keys.Where(field => after.GetValueOrDefault(field) != before[field]));
            // A field with its default is left out.
            var given = after.TryGetValue(name, out var text) ? double.Parse(text, CultureInfo.InvariantCulture) : parameter.Default;
            Assert.Equal(value, given, 9);
        }
    }

    [Theory, MemberData(nameof(Names))]
    public void Apply_TheDefault_IsWhatASimulationHasAnyway(string name)
    {
        var parameter = PhysicsParameters.All.Single(one => one.Name == name);

        var changed = parameter.Apply(new SimulationSpec(), parameter.Default);

        Assert.Equal(
            LatencyProfile.SameRegion with { Name = null }, (changed.Latency ?? LatencyProfile.SameRegion) with { Name = null });
        Assert.Equal(new ThrottlingSpec(), changed.Throttling ?? new ThrottlingSpec());
        var (documented, charges) = (ChargeModel.Documented, ChargeSpec.ModelOf(changed.Charges));
        Assert.Equal((documented.IndexedTerm, documented.Query), (charges.IndexedTerm, charges.Query));
    }

    private static PhysicsParameter Named(string name) => PhysicsParameters.All.Single(one => one.Name == name);

    private static Dictionary<string, string> Fields(SimulationSpec simulation)
    {
        var json = JsonSerializer.SerializeToNode(simulation, ScaleOutJson.Compact)!.AsObject();
        return new[] { "latency", "throttling", "charges" }
            .SelectMany(part => json[part]!.AsObject().Where(field => field.Value is not null)
                .Select(field => (Name: $"{part}.{field.Key}", field.Value)))
            .ToDictionary(field => field.Name, field => field.Value!.ToJsonString());
    }
}
