namespace ScaleOut.Tests.Api;

/// <summary>
/// Every invalid spec that the tests of the reader and of its rules know: the errors that they name must come over HTTP too.
/// </summary>
public static class InvalidSpecs
{
    public static TheoryData<string> All()
    {
        var specs = new TheoryData<string>();
        Type[] tests = [typeof(RunSpecReaderTests), typeof(RunSpecRulesTests)];
        foreach (var spec in tests.SelectMany(CasesOf).Distinct(StringComparer.Ordinal))
        {
            if (RunSpecReader.Read(spec, RunTarget.SimulatedAccount).Errors.Count > 0)
                specs.Add(spec);
        }

        return specs;
    }

    private static IEnumerable<string> CasesOf(Type tests) => tests.GetMethods()
        .SelectMany(method => method.GetCustomAttributes<InlineDataAttribute>())
        .Select(data => data.Data.FirstOrDefault())
        .OfType<string>();
}
