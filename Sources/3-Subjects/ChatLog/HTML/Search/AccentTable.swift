/// Letters with accents, and letters that people type as others.
enum AccentTable {
    /// The letters for a letter in lower case, as UTF-8.
    static let letters: [UInt32: [UInt8]] = {
        var letters: [UInt32: [UInt8]] = [:]
        for line in table.split(separator: "\n") {
            let parts = line.split(separator: " ")
            for scalar in parts.dropFirst().joined().unicodeScalars {
                letters[scalar.value] = Array(parts[0].utf8)
            }
        }
        return letters
    }()

    /// From the decompositions of Unicode, without those of Cyrillic but one.
    private static let table = """
        a àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ
        ae æǣǽ
        b ḃḅḇ
        c çćĉċčḉ
        d ďḋḍḏḑḓđð
        dz ǆǳ
        e èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ
        f ḟ
        g ĝğġģǧǵḡ
        h ĥȟḣḥḧḩḫẖħ
        i ìíîïĩīĭįǐȉȋḭḯỉịı
        ij ĳ
        j ĵǰ
        k ķǩḱḳḵ
        l ĺļľḷḹḻḽł
        lj ǉ
        m ḿṁṃ
        n ñńņňǹṅṇṉṋŋŉ
        nj ǌ
        o òóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợøǿ
        oe œ
        p ṕṗ
        r ŕŗřȑȓṙṛṝṟ
        s śŝşšſșṡṣṥṧṩẛ
        ss ß
        t ţťțṫṭṯṱẗŧ
        th þ
        u ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự
        v ṽṿ
        w ŵẁẃẅẇẉẘ
        x ẋẍ
        y ýÿŷȳẏẙỳỵỷỹ
        z źżžẑẓẕ
        α άἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ
        β ϐ
        ε έϵἐἑἒἓἔἕὲέ
        η ήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ
        θ ϑ
        ι ΐίϊἰἱἲἳἴἵἶἷὶίιῐῑῒΐῖῗ
        κ ϰ
        ο όὀὁὂὃὄὅὸό
        π ϖ
        ρ ϱῤῥ
        σ ςϲ
        υ ΰϋύϒϓϔὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ
        φ ϕ
        ω ώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ
        е ё
        """
}
