using ScaleOut.Simulator.Engine.Resources;

namespace ScaleOut.Simulator.Gateway;

/// <summary>What a request's path names.</summary>
internal enum ResourceKind
{
    Unknown,
    Account,
    Databases,
    Database,
    Containers,
    Container,
    Ranges,
    Documents,
    Document,
    Offers,
    Offer,
    Addresses,
}
