using System.Text;
using ScaleOut.Simulator.Engine.Resources;

namespace ScaleOut.Simulator.Direct;

/// <summary>Finds the containers that one connection's requests name, and remembers the last few.</summary>
internal sealed class ContainerRoutes(ResourceCatalog catalog)
{
    private const int Kept = 8;

    private readonly List<ContainerRoute> _routes = [];

    /// <summary>The container with the given names, or null.</summary>
    public ContainerRoute? Find(ReadOnlySpan<byte> database, ReadOnlySpan<byte> name)
    {
        foreach (ContainerRoute known in _routes)
        {
            if (!known.Container.IsDeleted && known.IsNamed(database, name))
                return known;
        }

        if (!catalog.TryFindDatabase(Encoding.UTF8.GetString(database), out DatabaseResource? parent)
            || !ResourceCatalog.TryFindContainer(parent, Encoding.UTF8.GetString(name), out ContainerResource? container))
            return null;
        _routes.RemoveAll(route => route.Container.IsDeleted);
        if (_routes.Count == Kept)
            _routes.RemoveAt(0);
        var found = new ContainerRoute(database, name, container);
        _routes.Add(found);
        return found;
    }
}
