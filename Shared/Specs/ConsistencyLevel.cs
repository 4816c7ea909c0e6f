namespace ScaleOut.Specs;

/// <summary>Consistency of an account, or the weaker one a client asks for; strongest first, so a smaller value is a stronger promise.</summary>
public enum ConsistencyLevel
{
    Strong,
    BoundedStaleness,
    Session,
    ConsistentPrefix,
    Eventual,
}
