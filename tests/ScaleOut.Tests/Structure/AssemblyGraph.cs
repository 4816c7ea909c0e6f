using Mono.Cecil;
using Mono.Cecil.Cil;
using Mono.Collections.Generic;

namespace ScaleOut.Tests.Structure;

/// <summary>Which types of a compiled assembly use which others: in signatures, attributes, generic arguments and method bodies.</summary>
internal sealed class AssemblyGraph
{
    private readonly HashSet<(TypeDefinition From, TypeReference To)> _uses = [];

    private AssemblyGraph()
    {
    }

    private AssemblyGraph(ModuleDefinition module)
    {
        foreach (var type in module.Types)
            AddType(type, type);
    }

    /// <summary>A use of one of the assembly's own types by another.</summary>
    /// <param name="From">Full name of the outermost type that uses.</param>
    /// <param name="FromNamespace">Its namespace.</param>
    /// <param name="To">Full name of the outermost type that is used.</param>
    /// <param name="ToNamespace">Its namespace.</param>
    public sealed record Use(string From, string FromNamespace, string To, string ToNamespace);

    /// <summary>Reads an assembly; what its attributes name is found beside this program and in its frameworks.</summary>
    public static ModuleDefinition Read(string file)
    {
        var resolver = new DefaultAssemblyResolver();
        var platform = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator);
        foreach (var folder in platform.Select(path => Path.GetDirectoryName(path)!).Distinct())
            resolver.AddSearchDirectory(folder);
        return ModuleDefinition.ReadModule(file, new ReaderParameters { AssemblyResolver = resolver });
    }

    /// <summary>Uses between the assembly's namespaces. Types without a namespace, which compilers make, are left out.</summary>
    public static IReadOnlyList<Use> UsesBetweenNamespaces(ModuleDefinition module)
    {
        var graph = new AssemblyGraph(module);
        return
        [
            .. graph._uses
                .Select(use => (use.From, To: Outermost(use.To)))
                .Where(use => use.To is TypeDefinition to && to.Module == module && use.From.Namespace != to.Namespace)
                .Where(use => use.From.Namespace.Length > 0 && use.To.Namespace.Length > 0)
                .Select(use => new Use(use.From.FullName, use.From.Namespace, use.To.FullName, use.To.Namespace))
                .Distinct()
                .OrderBy(use => use.From, StringComparer.Ordinal).ThenBy(use => use.To, StringComparer.Ordinal),
        ];
    }

    /// <summary>Full names of the types that use another assembly.</summary>
    public static IReadOnlyList<string> UsesOf(ModuleDefinition module, string assembly) =>
    [
        .. new AssemblyGraph(module)._uses
            .Where(use => use.To.Scope.Name == assembly)
            .Select(use => use.From.FullName)
            .Distinct()
            .Order(StringComparer.Ordinal),
    ];

    /// <summary>The assembly's own types that the public members of one of them show, and so must be public as well.</summary>
    public static IEnumerable<TypeDefinition> ShownBy(TypeDefinition type)
    {
        var graph = new AssemblyGraph();
        graph.AddShown(type, type);
        return graph._uses.Select(use => Outermost(use.To)).OfType<TypeDefinition>().Where(other => other.Module == type.Module);
    }

    private static TypeReference Outermost(TypeReference type)
    {
        while (type.DeclaringType is { } outer)
            type = outer;
        return type;
    }

    private void AddType(TypeDefinition type, TypeDefinition outermost)
    {
        Add(outermost, type.BaseType);
        AddAttributes(outermost, type.CustomAttributes);
        AddParameters(outermost, type.GenericParameters);
        foreach (var implemented in type.Interfaces)
            Add(outermost, implemented.InterfaceType);
        foreach (var field in type.Fields)
        {
            Add(outermost, field.FieldType);
            AddAttributes(outermost, field.CustomAttributes);
        }

        foreach (var property in type.Properties)
            AddAttributes(outermost, property.CustomAttributes);
        foreach (var method in type.Methods)
            AddMethod(method, outermost);
        foreach (var nested in type.NestedTypes)
            AddType(nested, outermost);
    }

    private void AddShown(TypeDefinition type, TypeDefinition outermost)
    {
        Add(outermost, type.BaseType);
        AddParameters(outermost, type.GenericParameters);
        foreach (var implemented in type.Interfaces)
            Add(outermost, implemented.InterfaceType);
        foreach (var field in type.Fields.Where(field => field.IsPublic || field.IsFamily))
            Add(outermost, field.FieldType);
        foreach (var method in type.Methods.Where(method => method.IsPublic || method.IsFamily))
        {
            Add(outermost, method.ReturnType);
            AddParameters(outermost, method.GenericParameters);
            foreach (var parameter in method.Parameters)
                Add(outermost, parameter.ParameterType);
        }

        foreach (var nested in type.NestedTypes.Where(nested => nested.IsNestedPublic || nested.IsNestedFamily))
            AddShown(nested, outermost);
    }

    private void AddMethod(MethodDefinition method, TypeDefinition outermost)
    {
        Add(outermost, method.ReturnType);
        AddAttributes(outermost, method.CustomAttributes);
        AddParameters(outermost, method.GenericParameters);
        foreach (var parameter in method.Parameters)
        {
            Add(outermost, parameter.ParameterType);
            AddAttributes(outermost, parameter.CustomAttributes);
        }

        if (!method.HasBody)
            return;
        foreach (var variable in method.Body.Variables)
            Add(outermost, variable.VariableType);
        foreach (var handler in method.Body.ExceptionHandlers)
            Add(outermost, handler.CatchType);
        foreach (var instruction in method.Body.Instructions)
            AddOperand(outermost, instruction);
    }

    private void AddOperand(TypeDefinition outermost, Instruction instruction)
    {
        switch (instruction.Operand)
        {
            case TypeReference type:
                Add(outermost, type);
                break;
            case MethodReference method:
                Add(outermost, method.DeclaringType);
                Add(outermost, method.ReturnType);
                foreach (var parameter in method.Parameters)
                    Add(outermost, parameter.ParameterType);
                if (method is GenericInstanceMethod generic)
                {
                    foreach (var argument in generic.GenericArguments)
                        Add(outermost, argument);
                }

                break;
            case FieldReference field:
                Add(outermost, field.DeclaringType);
                Add(outermost, field.FieldType);
                break;
        }
    }

    private void AddAttributes(TypeDefinition outermost, Collection<CustomAttribute> attributes)
    {
        foreach (var attribute in attributes)
        {
            Add(outermost, attribute.AttributeType);
            foreach (var argument in attribute.ConstructorArguments.Select(argument => argument.Value).OfType<TypeReference>())
                Add(outermost, argument);
        }
    }

    private void AddParameters(TypeDefinition outermost, Collection<GenericParameter> parameters)
    {
        foreach (var constraint in parameters.SelectMany(parameter => parameter.Constraints))
            Add(outermost, constraint.ConstraintType);
    }

    private void Add(TypeDefinition from, TypeReference? to)
    {
        switch (to)
        {
            case null or GenericParameter:
                return;
            case GenericInstanceType generic:
                Add(from, generic.ElementType);
                foreach (var argument in generic.GenericArguments)
                    Add(from, argument);
                return;
            case RequiredModifierType modified:
                Add(from, modified.ElementType);
                Add(from, modified.ModifierType);
                return;
            case TypeSpecification specification:
                Add(from, specification.ElementType);
                return;
            default:
                _uses.Add((from, Outermost(to)));
                return;
        }
    }
}
