using Mono.Cecil;

namespace ScaleOut.Tests.Structure;

/// <summary>
/// The order of projects and folders, read from the compiled assemblies. The Function App, whose packages may be missing here, is compiled
/// and checked by its own tests.
/// </summary>
public sealed class StructureTests
{
    private static readonly Dictionary<string, string[]> Permitted = new()
    {
        ["ScaleOut.Shared"] = [],
        ["ScaleOut.Analysis"] = ["ScaleOut.Shared"],
        ["ScaleOut.Api"] = ["ScaleOut.Shared", "ScaleOut.Analysis"],
        ["ScaleOut.Workers"] = ["ScaleOut.Shared"],
        ["ScaleOut.Simulator"] = ["ScaleOut.Shared"],
        ["ScaleOut.Sizing"] = ["ScaleOut.Shared", "ScaleOut.Analysis", "ScaleOut.Workers", "ScaleOut.Simulator"],
        ["DevBox"] =
            ["ScaleOut.Shared", "ScaleOut.Analysis", "ScaleOut.Api", "ScaleOut.Workers", "ScaleOut.Simulator", "ScaleOut.Sizing"],
    };

    public static TheoryData<string> Assemblies => [.. Permitted.Keys];

    [Theory, MemberData(nameof(Assemblies))]
    public void Assembly_InTheOrder_UsesOnlyWhatItsPlacePermits(string assembly)
    {
        using var module = Read(assembly);
        AssertNone(StructureRules.ForbiddenReferences(module, Permitted));
        AssertNone(StructureRules.Cycles(module));
    }

    [Theory, MemberData(nameof(Assemblies))]
    public void Types_ThatNoOtherProjectUses_AreInternal(string assembly)
    {
        using var module = Read(assembly);
        var folder = assembly.Split('.')[^1] + "/";
        var elsewhere = SourceText.Production().Where(file => !file.Path.StartsWith(folder, StringComparison.Ordinal))
            .SelectMany(file => SourceText.WordsOf(file.Text)).ToHashSet();

        AssertNone(StructureRules.NeedlesslyPublic(module, elsewhere));
    }

    [Theory, MemberData(nameof(Assemblies))]
    public void Methods_ThatNeedALock_AreCalledWithOne(string assembly)
    {
        using var module = Read(assembly);
        AssertNone(StructureRules.CallsWithoutLock(module));
    }

    /// <summary>Its assembly is not here, so whoever gives it the first lock also has its calls followed.</summary>
    [Fact]
    public void Methods_OfTheFunctionApp_NeedNoLock() => AssertNone(SourceText.Production()
        .Where(file => file.Path.StartsWith("Orchestrator/", StringComparison.Ordinal)
            && SourceText.WordsOf(file.Text).Any(word => word == nameof(Lock) || word.EndsWith("_NeedsLock", StringComparison.Ordinal)))
        .Select(file => $"{file.Path} has a lock"));

    [Fact]
    public void Source_GlobalUsings_StandInOneFileOfEachProject() => AssertNone(SourceText.Files()
        .Where(file => Path.GetFileName(file.Path) != "GlobalUsings.cs"
            && file.Text.Contains("\nglobal using ", StringComparison.Ordinal))
        .Select(file => $"{file.Path} has global usings beside those of GlobalUsings.cs"));

    [Fact]
    public void Types_Names_MeanOneThing() => AssertNoneInAll(StructureRules.AmbiguousNames);

    [Fact]
    public void Types_OfEachConcept_AreThoseOfItsList() =>
        AssertNoneInAll(modules => Concepts.All.SelectMany(concept => StructureRules.Unlisted(modules, concept)));

    [Fact]
    public void Types_Figures_AreDeclaredOnceAndComposed() =>
        AssertNoneInAll(modules => StructureRules.RepeatedFigures(modules, nameof(Counts.Throttled)));

    internal static void AssertNone(IEnumerable<string> violations)
    {
        var found = violations.ToList();
        Assert.True(found.Count == 0, $"{found.Count}:{Environment.NewLine}{string.Join(Environment.NewLine, found.Take(200))}");
    }

    private static void AssertNoneInAll(Func<IEnumerable<ModuleDefinition>, IEnumerable<string>> rule)
    {
        var modules = Permitted.Keys.Select(Read).ToList();
        try
        {
            AssertNone(rule(modules));
        }
        finally
        {
            modules.ForEach(module => module.Dispose());
        }
    }

    private static ModuleDefinition Read(string assembly) => AssemblyGraph.Read(Path.Combine(AppContext.BaseDirectory, assembly + ".dll"));
}
