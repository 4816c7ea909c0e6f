using System.Globalization;
using System.Text.Json;
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
    };

    public static TheoryData<string> Names => [.. PhysicsParameters.All.Select(parameter => parameter.Name)];

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
    }

    private static Dictionary<string, string> Fields(SimulationSpec simulation)
    {
        var json = JsonSerializer.SerializeToNode(simulation, ScaleOutJson.Compact)!.AsObject();
        return new[] { "latency", "throttling" }
            .SelectMany(part => json[part]!.AsObject().Select(field => (Name: $"{part}.{field.Key}", field.Value)))
            .ToDictionary(field => field.Name, field => field.Value!.ToJsonString());
    }
}
