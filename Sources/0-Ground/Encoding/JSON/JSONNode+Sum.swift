extension JSONNode {
    /// A value with cases as the official programs write it, in any of their forms: `{"case":{…}}`,
    /// `{"type":"case",…}`, `{"_owsf":true,"case":{…}}`. Nil for other nodes.
    ///
    /// The fields are an object in each form. A case without fields may have an empty array.
    package var sum: (name: String, fields: JSONNode)? {
        guard case .object(let members) = self else { return nil }
        if members.count == 1, let member = members.first, member.key != "type" {
            return member.value.fields.map { (member.key, $0) }
        }
        if let name = self["type"]?.textValue {
            return (name, .object(members.filter { $0.key != "type" }))
        }
        let cases = members.filter { $0.key != "_owsf" }
        guard let first = cases.first, cases.allSatisfy({ $0.key == first.key }), let last = cases.last else {
            return nil
        }
        return last.value.fields.map { (last.key, $0) }
    }

    /// Itself if it can be the fields of a case.
    private var fields: JSONNode? {
        switch self {
        case .object: self
        case .array(let elements) where elements.isEmpty: .empty
        default: nil
        }
    }
}
