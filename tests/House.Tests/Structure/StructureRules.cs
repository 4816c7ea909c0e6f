using System.Runtime.CompilerServices;
using Mono.Cecil;

namespace ScaleOut.Tests.Structure;

/// <summary>The rules of the solution's structure. Each method returns the violations as sentences.</summary>
internal static class StructureRules
{
    /// <summary>References to assemblies of the solution that the order of projects does not permit.</summary>
    /// <param name="permitted">For each assembly of the solution, those that it may use.</param>
    public static IEnumerable<string> ForbiddenReferences(ModuleDefinition module, IReadOnlyDictionary<string, string[]> permitted)
    {
        var name = module.Assembly.Name.Name;
        return module.AssemblyReferences
            .Where(reference => permitted.ContainsKey(reference.Name) && !permitted[name].Contains(reference.Name))
            .Select(reference => $"{name} must not use {reference.Name}: {FirstUser(module, reference.Name)} does");
    }

    /// <summary>Calls of methods named <c>_NeedsLock</c> by others that take no lock. Constructors need none.</summary>
    public static IEnumerable<string> CallsWithoutLock(ModuleDefinition module) =>
        from method in module.GetTypes().SelectMany(type => type.Methods)
        where method.HasBody && !method.IsConstructor && !method.Name.EndsWith("_NeedsLock", StringComparison.Ordinal)
        let called = method.Body.Instructions.Select(instruction => instruction.Operand).OfType<MethodReference>()
            .Select(one => one.Name).ToList()
        where !called.Contains(nameof(Lock.EnterScope)) && !called.Contains(nameof(Monitor.Enter))
        from name in called
        where name.EndsWith("_NeedsLock", StringComparison.Ordinal)
        select $"{method.FullName} takes no lock, and calls {name}";

    /// <summary>Namespaces of an assembly that use each other in a circle, with the types that close it.</summary>
    public static IEnumerable<string> Cycles(ModuleDefinition module)
    {
        var uses = AssemblyGraph.UsesBetweenNamespaces(module);
        var next = uses.GroupBy(use => use.FromNamespace)
            .ToDictionary(group => group.Key, group => group.Select(use => use.ToNamespace).ToHashSet());
        return uses.GroupBy(use => (use.FromNamespace, use.ToNamespace))
            .Where(pair => Reaches(next, pair.Key.ToNamespace, pair.Key.FromNamespace))
            .Select(pair => $"{pair.Key.FromNamespace} -> {pair.Key.ToNamespace}, which leads back: "
                + string.Join(", ", pair.Select(use => $"{Short(use.From)} uses {Short(use.To)}")));
    }

    /// <summary>All types that declare a figure as a property, if they are more than <see cref="Concepts.MaxDeclarations"/>.</summary>
    public static IReadOnlyList<string> RepeatedFigures(IEnumerable<ModuleDefinition> modules, string figure)
    {
        List<string> declaring =
        [
            .. modules.SelectMany(module => module.GetTypes()).Where(type => type.Properties.Any(property => property.Name == figure))
                .Select(type => $"{type.FullName} declares {figure}"),
        ];
        return declaring.Count > Concepts.MaxDeclarations ? declaring : [];
    }

    /// <summary>Names of types that occur more than once in the solution.</summary>
    public static IEnumerable<string> AmbiguousNames(IEnumerable<ModuleDefinition> modules) => modules
        .SelectMany(module => module.Types)
        .Where(type =>
            type.Namespace.StartsWith("ScaleOut", StringComparison.Ordinal) && !type.Name.Contains('<', StringComparison.Ordinal))
        .GroupBy(type => type.Name)
        .Where(name => name.Count() > 1).Select(name => $"{name.Key}: {string.Join(", ", name.Select(type => type.FullName))}");

    /// <summary>Types that a concept has beyond those of its list; and lists that are too long, or name types that are gone.</summary>
    public static IEnumerable<string> Unlisted(IEnumerable<ModuleDefinition> modules, Concept concept)
    {
        var names = modules.SelectMany(module => module.Types).Where(HasObjects).Select(type => type.Name.Split('`')[0]).ToHashSet();
        return
        [
            .. concept.Types.Length + concept.Parts.Length is var count && count > concept.Max
                ? [$"{concept.Name} has {count} types, and {concept.Max} are enough"]
                : Array.Empty<string>(),
            .. concept.Listed.Where(name => !names.Contains(name)).Select(name => $"{name}, of {concept.Name}, is gone"),
            .. names.Where(name => concept.Names.IsMatch(name)).Except(concept.Listed)
                .Select(name => $"{name} is one more type of {concept.Name}, beside {string.Join(", ", concept.Types)}"),
        ];
    }

    /// <summary>Public types that can be internal: no other project names them, and no public member of a named type shows them.</summary>
    /// <param name="elsewhere">All words of the other projects' source.</param>
    public static IEnumerable<string> NeedlesslyPublic(ModuleDefinition module, IReadOnlySet<string> elsewhere)
    {
        var types = module.Types
            .Where(type => type.IsPublic && type.Namespace.StartsWith("ScaleOut", StringComparison.Ordinal)).ToHashSet();
        var needed = types.Where(type => NamesOf(type).Any(elsewhere.Contains)).ToHashSet();
        var open = new Queue<TypeDefinition>(needed);
        while (open.TryDequeue(out var type))
        {
            foreach (var shown in AssemblyGraph.ShownBy(type).Where(shown => types.Contains(shown) && needed.Add(shown)))
                open.Enqueue(shown);
        }

        return types.Except(needed).Select(type => $"{type.FullName} is public, and no other project uses it");
    }

    /// <summary>The names that source uses for a type: its own, and those of its extension methods.</summary>
    private static IEnumerable<string> NamesOf(TypeDefinition type) => type.Methods
        .Where(method => method.CustomAttributes.Any(attribute => attribute.AttributeType.Name == nameof(ExtensionAttribute)))
        .Select(method => method.Name)
        .Append(type.Name.Split('`')[0]).Append(type.Name.Split('`')[0].Replace("Attribute", "", StringComparison.Ordinal));

    private static bool HasObjects(TypeDefinition type) =>
        !type.IsInterface && !(type.IsAbstract && type.IsSealed) && type.Namespace.StartsWith("ScaleOut", StringComparison.Ordinal);

    private static bool Reaches(Dictionary<string, HashSet<string>> next, string from, string to)
    {
        var seen = new HashSet<string> { from };
        var open = new Queue<string>(seen);
        while (open.TryDequeue(out var current))
        {
            if (current == to)
                return true;
            foreach (var other in next.GetValueOrDefault(current, []).Where(seen.Add))
                open.Enqueue(other);
        }

        return false;
    }

    private static string FirstUser(ModuleDefinition module, string assembly) =>
        AssemblyGraph.UsesOf(module, assembly) is [var first, ..] ? first : "no type of its own";

    private static string Short(string fullName) => fullName[(fullName.LastIndexOf('.') + 1)..];
}
