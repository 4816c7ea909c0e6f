using System.Buffers.Binary;

namespace ScaleOut.Workers.Documents;

/// <summary>
/// Makes documents. A document, its id and its key are functions of (run, document number), so that a leg that is run again makes the same
/// ones. Thread-safe.
/// </summary>
public interface IDocumentSource
{
    /// <summary>Largest size of a document.</summary>
    int MaxBytes { get; }

    /// <summary>Whether documents keep their own keys in a batch, so that a batch of numbers may be several batches of documents.</summary>
    bool MixesKeysInBatch => false;

    /// <summary>Number of documents after which the content repeats, with other ids; null if it does not.</summary>
    long? RepeatsAfter => null;

    /// <summary>Warnings about the documents, for the run's report.</summary>
    IReadOnlyList<string> Warnings => [];

    string IdOf(long number);

    /// <summary>Partition key value of a document that is written alone.</summary>
    string KeyOf(long number);

    /// <summary>Partition key value that all documents of a batch share, unless they keep their own.</summary>
    string KeyOfBatch(long batch);

    /// <summary>Partition key value of a document that was written in batches, or alone.</summary>
    /// <param name="batchSize">Null for documents that were written alone.</param>
    string KeyOf(long number, int? batchSize) =>
        batchSize is { } size && !MixesKeysInBatch ? KeyOfBatch(number / size) : KeyOf(number);

    /// <summary>Whether the container's partition key is hierarchical.</summary>
    bool HasKeyLevels => false;

    /// <summary>The values of the container's partition key: one, or the two or three of a hierarchical key, the top level first.</summary>
    /// <param name="key">The key that the document is written with.</param>
    IReadOnlyList<string> KeyValuesOf(long number, string key) => [key];

    /// <summary>A text property at the top level of a document; null if it can be read only from the written document.</summary>
    /// <param name="key">The key that the document is written with.</param>
    string? TextOf(string property, long number, string key) => null;

    /// <summary>Writes a document as UTF-8 JSON and returns its length.</summary>
    /// <param name="buffer">At least <see cref="MaxBytes"/> long.</param>
    int Write(long number, string key, Span<byte> buffer);
}

/// <summary>A run's documents cannot be made, because of an error in its spec or its CSV file.</summary>
public sealed class DocumentException(IReadOnlyList<ValidationError> errors, Exception? innerException = null)
    : Exception(string.Join("; ", errors), innerException)
{
    public DocumentException(string path, string message, Exception? innerException = null)
        : this([new ValidationError(path, message, BeyondSchema: true)], innerException)
    {
    }

    /// <summary>All errors. The JSON schema can express none of them.</summary>
    public IReadOnlyList<ValidationError> Errors => errors;
}

public static class DocumentSources
{
    /// <summary>The documents that an assignment writes, or those of another run that it works on.</summary>
    /// <exception cref="DocumentException">The documents cannot be made, such as from a broken CSV file.</exception>
    public static IDocumentSource For(WorkerAssignment assignment) => For(
        assignment.Document, assignment.Workload.OfRun ?? assignment.RunId, assignment.Container.KeyPaths,
        IsByKey(assignment.Workload),
        assignment.Workload switch
        {
            { Action: not null } workload => assignment.FirstWritten + (assignment.Documents * workload.WrittenByAction),
            { NeedsDocuments: true } => assignment.Preload,
            _ => assignment.Documents,
        });

    /// <summary>The documents of a run, or those of another run that it works on.</summary>
    /// <param name="id">Id of a run that has none yet.</param>
    /// <exception cref="DocumentException">The documents cannot be made, such as from a broken CSV file.</exception>
    public static IDocumentSource For(RunSpec spec, string id) => For(
        spec.Document, spec.Workload.OfRun ?? spec.Id ?? id, spec.Container.KeyPathsFor(spec.Document), IsByKey(spec.Workload));

    /// <summary>Sizes in bytes of documents that are written alone.</summary>
    public static IEnumerable<int> SizesOf(IDocumentSource source, IEnumerable<long> numbers)
    {
        var buffer = new byte[source.MaxBytes];
        return numbers.Select(number => source.Write(number, source.KeyOf(number), buffer));
    }

    /// <param name="keyPaths">Path of the partition key, such as <c>/PartitionKey</c>, or the levels of a hierarchical key.</param>
    /// <param name="byKey">Whether rows of a file are taken in order of their keys, for batches.</param>
    /// <param name="documents">Number of documents, to say whether rows repeat; 0 if it is not known.</param>
    /// <exception cref="DocumentException">The documents cannot be made, such as from a broken CSV file.</exception>
    public static IDocumentSource For(
        DocumentSpec document, string runId, IReadOnlyList<string> keyPaths, bool byKey = false, long documents = 0)
    {
        var source = For(document, runId, keyPaths[0], byKey, documents);
        return keyPaths.Count == 1 ? source : new HierarchicalDocuments(source, keyPaths);
    }

    private static bool IsByKey(WorkloadSpec workload) => workload.Kind.WritesBatches() || workload.BatchSize is not null;

    private static IDocumentSource For(DocumentSpec document, string runId, string keyPath, bool byKey, long documents)
    {
        var keyIsId = keyPath == DocumentShape.UniquePath;
        return document.Kind switch
        {
            DocumentKind.PerfTest => new PerfTestDocuments(runId, keyIsId),
            DocumentKind.Device => new DeviceDocuments(runId, keyIsOwner: !keyIsId),
            DocumentKind.Csv => new CsvDocuments(runId, CsvTable.Read(document, byKey), keyIsId, documents),
            DocumentKind.Flights => new FlightDocuments(runId, document, keyIsId),
            DocumentKind.Template => new TemplateDocuments(runId, document.Template!, keyPath.TrimStart('/')),
            DocumentKind.Mixed => new MixedDocuments(
                document.Kinds!, [.. document.Kinds!.Select(one => For(one.Document, runId, keyPath, byKey, documents))]),
            var kind => throw new ArgumentOutOfRangeException(nameof(document), kind, "No such kind of document."),
        };
    }
}

/// <summary>
/// Guids as a function of (run, purpose, number). Within a run and purpose no two numbers share one, because the lower half is a bijection
/// of the number. They are spread evenly, so that keys made of them fill all physical partitions alike.
/// </summary>
internal sealed class DocumentIdentity
{
    private readonly ulong _upper;
    private readonly ulong _lower;

    /// <param name="purpose">Such as <c>id</c>.</param>
    public DocumentIdentity(string runId, string purpose)
    {
        var hash = SHA256.HashData(Encoding.UTF8.GetBytes($"{runId}/{purpose}"));
        _upper = BinaryPrimitives.ReadUInt64LittleEndian(hash);
        _lower = BinaryPrimitives.ReadUInt64LittleEndian(hash.AsSpan(8));
    }

    /// <summary>A seed for random numbers of the same run and purpose.</summary>
    internal ulong Seed => _upper ^ (_lower << 1);

    public Guid From(long number)
    {
        Span<byte> bytes = stackalloc byte[16];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, SplitMix64.At((ulong)number + _upper + SplitMix64.Gamma));
        BinaryPrimitives.WriteUInt64LittleEndian(bytes[8..], SplitMix64.At(((ulong)number ^ _lower) + SplitMix64.Gamma));
        return new Guid(bytes);
    }
}
