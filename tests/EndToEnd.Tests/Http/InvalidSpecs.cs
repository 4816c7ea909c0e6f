using ScaleOut.Tests.Shared.Specs.Reading;

namespace ScaleOut.Tests.EndToEnd.Http;

/// <summary>All invalid specs of the tests of the reader and of its rules. Their errors must come over HTTP too.</summary>
public static class InvalidSpecs
{
    public static TheoryData<string> All()
    {
        Type[] tests = [typeof(RunSpecReaderTests), typeof(RunSpecRulesTests)];
        return [.. tests.SelectMany(CasesOf).Distinct(StringComparer.Ordinal)
            .Where(spec => RunSpecReader.Read(spec, RunTarget.SimulatedAccount).Errors.Count > 0)];
    }

    private static IEnumerable<string> CasesOf(Type tests) => tests.GetMethods()
        .SelectMany(method => method.GetCustomAttributes<InlineDataAttribute>())
        .Select(data => data.Data.FirstOrDefault())
        .OfType<string>();
}
