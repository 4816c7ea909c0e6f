using System.Text.Json.Serialization;
using ScaleOut.Json;

namespace ScaleOut.Reports;

/// <summary>What kept a run from being faster; the first in this order that holds.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<BoundBy>))]
public enum BoundBy
{
    /// <summary>At least 95% of the container's RU/s were used.</summary>
    RequestUnits,

    /// <summary>One physical partition used at least 95% of its own RU/s in half of the seconds.</summary>
    Partition,

    /// <summary>A worker's process used at least 80% of its cores.</summary>
    Client,

    /// <summary>All cores of a machine were at least 90% busy.</summary>
    Machine,

    /// <summary>An open loop that kept its schedule: it did what it was asked to.</summary>
    Rate,

    /// <summary>None of the others: the operations in flight waited for their answers.</summary>
    Latency,
}
