namespace ScaleOut.Templates;

/// <summary>What a part of a template stands for. All values are functions of (run, document number, place in the template).</summary>
public enum PlaceholderKind
{
    /// <summary>Text as it stands there.</summary>
    Literal,

    /// <summary><c>{{number}}</c>: the document number, from 0.</summary>
    Number,

    /// <summary><c>{{guid}}</c>: a guid that no other document has at this place.</summary>
    Unique,

    /// <summary><c>{{id}}</c>: the document's id.</summary>
    Id,

    /// <summary><c>{{key}}</c>: the document's partition key; in a document template a guid, which the documents of a batch share.</summary>
    Key,

    /// <summary><c>{{field:ownerId}}</c>: in a query's values, a property of the document that the query addresses.</summary>
    Field,

    /// <summary><c>{{random:int:1:100}}</c>: a whole number of the range, both ends included.</summary>
    RandomInt,

    /// <summary><c>{{random:number:0:1}}</c>: a number of the range with three decimals.</summary>
    RandomNumber,

    /// <summary><c>{{random:text:12}}</c>: so many letters and digits.</summary>
    RandomText,

    /// <summary><c>{{random:bool}}</c>.</summary>
    RandomBool,

    /// <summary><c>{{pick:a,b,c}}</c>: one of the texts.</summary>
    Pick,
}
