using Mono.Cecil;
using Mono.Cecil.Cil;
using FieldAttributes = Mono.Cecil.FieldAttributes;
using MethodAttributes = Mono.Cecil.MethodAttributes;
using PropertyAttributes = Mono.Cecil.PropertyAttributes;
using TypeAttributes = Mono.Cecil.TypeAttributes;

namespace ScaleOut.Tests.Structure;

/// <summary>The rules of the structure find violations that are planted into assemblies made for these tests.</summary>
public sealed class PlantedViolationTests
{
    private static readonly Dictionary<string, string[]> Permitted = new() { ["Lower"] = [], ["Upper"] = ["Lower"] };

    [Fact]
    public void ForbiddenReferences_AgainstTheOrder_NamesTheTypeThatUsesIt()
    {
        using var lower = Module("Lower");
        var upper = new AssemblyNameReference("Upper", new Version(1, 0));
        lower.AssemblyReferences.Add(upper);
        Type(lower, "ScaleOut.Specs", "RunSpec").Fields.Add(
            new FieldDefinition("_report", FieldAttributes.Private, new TypeReference("ScaleOut.Reports", "RunReport", lower, upper)));
        Assert.Equal(["Lower must not use Upper: ScaleOut.Specs.RunSpec does"], StructureRules.ForbiddenReferences(lower, Permitted));
    }

    [Fact]
    public void ForbiddenReferences_InTheOrder_AreNone()
    {
        using var upper = Module("Upper");
        upper.AssemblyReferences.Add(new AssemblyNameReference("Lower", new Version(1, 0)));
        upper.AssemblyReferences.Add(new AssemblyNameReference("System.Runtime", new Version(10, 0)));
        Assert.Empty(StructureRules.ForbiddenReferences(upper, Permitted));
    }

    [Fact]
    public void Cycles_NamespacesThatUseEachOther_NamesTheirTypes()
    {
        using var module = Module("Lower");
        var reader = Type(module, "ScaleOut.Specs", "Reader");
        var spec = Type(module, "ScaleOut.Specs.Model", "Spec");
        CallsConstructor(reader, spec);
        CallsConstructor(spec, reader);

        Assert.Equal(
            [
                "ScaleOut.Specs -> ScaleOut.Specs.Model, which leads back: Reader uses Spec",
                "ScaleOut.Specs.Model -> ScaleOut.Specs, which leads back: Spec uses Reader",
            ],
            StructureRules.Cycles(module).Order(StringComparer.Ordinal));
    }

    [Theory]
    [InlineData(true, 3)]
    [InlineData(false, 0)]
    public void Cycles_ThreeNamespaces_AreNoticedOnlyInACircle(bool closed, int cycles)
    {
        using var module = Module("Lower");
        var types = new[] { "A", "B", "C" }.Select(name => Type(module, "ScaleOut." + name, name + "Type")).ToList();
        for (var i = 0; i < (closed ? 3 : 2); i++)
            CallsConstructor(types[i], types[(i + 1) % 3]);
        Assert.Equal(cycles, StructureRules.Cycles(module).Count());
    }

    [Fact]
    public void AmbiguousNames_TypeInTwoAssemblies_NamesBothPlaces()
    {
        using var lower = Module("Lower");
        using var upper = Module("Upper");
        Type(lower, "ScaleOut.Specs", "Words");
        Type(upper, "ScaleOut.Reports", "Words");
        Type(upper, "ScaleOut.Reports", "Numbers");

        Assert.Equal(["Words: ScaleOut.Specs.Words, ScaleOut.Reports.Words"], StructureRules.AmbiguousNames([lower, upper]));
    }

    [Theory]
    [InlineData(Concepts.MaxDeclarations, 0)]
    [InlineData(Concepts.MaxDeclarations + 1, Concepts.MaxDeclarations + 1)]
    public void RepeatedFigures_TooManyTypes_NamesAllOfThem(int types, int named)
    {
        using var lower = Module("Lower");
        using var upper = Module("Upper");
        for (var i = 0; i < types; i++)
        {
            var type = Type(i % 2 == 0 ? lower : upper, "ScaleOut.Figures", $"Figures{i}");
            type.Properties.Add(new PropertyDefinition("Throttled", PropertyAttributes.None, type.Module.TypeSystem.Int64));
        }

        Assert.Equal(named, StructureRules.RepeatedFigures([lower, upper], "Throttled").Count);
    }

    [Fact]
    public void Unlisted_TypeOfAConceptThatIsNotListed_IsNamedAsAreListsThatAreWrong()
    {
        using var lower = Module("Lower");
        using var upper = Module("Upper");
        var concept = new Concept("a worker's state", Max: 1, new("^Worker"), ["WorkerState"])
        {
            Parts = ["WorkerStatus"],
            Others = ["WorkerPool"],
        };
        foreach (var name in new[] { "WorkerState", "WorkerStatus", "CoWorker" })
            Type(lower, "ScaleOut.Progress", name);
        Type(upper, "ScaleOut.Processes", "WorkerPool");
        Type(upper, "ScaleOut.Processes", "WorkerHost").Attributes |= TypeAttributes.Abstract | TypeAttributes.Sealed;

        Assert.Equal(
            ["a worker's state has 2 types, and 1 are enough"], StructureRules.Unlisted([lower, upper], concept));
        Type(upper, "ScaleOut.Reports", "WorkerFacts");
        Assert.Equal(
            [
                "WorkerLegs, of a worker's state, is gone",
                "WorkerFacts is one more type of a worker's state, beside WorkerState",
            ],
            StructureRules.Unlisted([lower, upper], concept with { Max = 3, Parts = ["WorkerStatus", "WorkerLegs"] }));
    }

    [Fact]
    public void NeedlesslyPublic_NobodyElseUsesIt_IsNoticedUnlessAUsedTypeShowsIt()
    {
        using var module = Module("Lower");
        var used = Type(module, "ScaleOut.Specs", "Used");
        var shown = Type(module, "ScaleOut.Specs", "Shown");
        Type(module, "ScaleOut.Specs", "Lonely");
        used.Fields.Add(new FieldDefinition("Field", FieldAttributes.Public, shown));

        Assert.Equal(
            ["ScaleOut.Specs.Lonely is public, and no other project uses it"],
            StructureRules.NeedlesslyPublic(module, new HashSet<string> { "Used" }));
    }

    [Theory]
    [InlineData("Call", false, 1)]
    [InlineData("Call", true, 0)]
    [InlineData("Call_NeedsLock", false, 0)]
    public void CallsWithoutLock_CallWithoutOne_IsNoticed(string name, bool locks, int noticed)
    {
        using var module = Module("Lower");
        var type = Type(module, "ScaleOut.Specs", "Locked");
        var called = new MethodDefinition("Change_NeedsLock", MethodAttributes.Public | MethodAttributes.Static, module.TypeSystem.Void);
        var method = new MethodDefinition(name, MethodAttributes.Public | MethodAttributes.Static, module.TypeSystem.Void);
        var body = method.Body.GetILProcessor();
        if (locks)
            body.Emit(OpCodes.Call, module.ImportReference(typeof(Lock).GetMethod(nameof(Lock.EnterScope))));
        body.Emit(OpCodes.Call, called);
        type.Methods.Add(called);
        type.Methods.Add(method);

        Assert.Equal(noticed, StructureRules.CallsWithoutLock(module).Count());
    }

    private static ModuleDefinition Module(string name) =>
        AssemblyDefinition.CreateAssembly(new AssemblyNameDefinition(name, new Version(1, 0)), name + ".dll", ModuleKind.Dll).MainModule;

    private static TypeDefinition Type(ModuleDefinition module, string folder, string name)
    {
        var type = new TypeDefinition(folder, name, TypeAttributes.Public | TypeAttributes.Class, module.TypeSystem.Object);
        var constructor = new MethodDefinition(
            ".ctor", MethodAttributes.Public | MethodAttributes.SpecialName | MethodAttributes.RTSpecialName, module.TypeSystem.Void);
        constructor.Body.GetILProcessor().Emit(OpCodes.Ret);
        type.Methods.Add(constructor);
        module.Types.Add(type);
        return type;
    }

    /// <summary>Adds a method whose body is the only place that uses the other type.</summary>
    private static void CallsConstructor(TypeDefinition from, TypeDefinition to)
    {
        var method = new MethodDefinition("Call", MethodAttributes.Public | MethodAttributes.Static, from.Module.TypeSystem.Void);
        var body = method.Body.GetILProcessor();
        body.Emit(OpCodes.Newobj, to.Methods.Single(candidate => candidate.IsConstructor));
        body.Emit(OpCodes.Pop);
        body.Emit(OpCodes.Ret);
        from.Methods.Add(method);
    }
}
