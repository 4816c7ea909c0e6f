using System.Reflection;
using ScaleOut.Specs;
using ScaleOut.Specs.Reading;
using ScaleOut.Tests.Shared.Specs;

namespace ScaleOut.Tests.Api;

/// <summary>Every faulty plan that the tests of the reader and of its rules know: what they name must come over HTTP too.</summary>
public static class FaultyPlans
{
    public static TheoryData<string> All()
    {
        var plans = new TheoryData<string>();
        foreach (var plan in ((Type[])[typeof(RunSpecReaderTests), typeof(RunSpecRulesTests)]).SelectMany(CasesOf).Distinct(StringComparer.Ordinal))
        {
            if (RunSpecReader.Read(plan, RunTarget.SimulatedAccount).Faults.Count > 0)
                plans.Add(plan);
        }

        return plans;
    }

    private static IEnumerable<string> CasesOf(Type tests) => tests.GetMethods()
        .SelectMany(method => method.GetCustomAttributes<InlineDataAttribute>())
        .Select(data => data.Data.FirstOrDefault())
        .OfType<string>();
}
