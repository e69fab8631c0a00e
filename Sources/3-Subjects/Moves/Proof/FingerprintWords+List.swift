extension FingerprintWords {
    /// The words: one for each byte, sorted. Plain English, 4 to 7 letters, no two with the same first four letters, and no
    /// two that differ in fewer than three.
    ///
    /// The place of a word is what it means: the list can only ever be replaced as a whole, with another text in the
    /// digest of the words.
    package static let list: [String] = text.split(whereSeparator: \.isWhitespace).map(String.init)

    /// How many first letters of a word are enough.
    static let tellingLetters = 4

    private static let text = """
        acorn alarm almond anchor animal apple apricot arena artist aspen atlas attic august autumn
        avocado bamboo banana basket beaver bicycle biscuit blossom bonus border bottle branch brick
        bridge bronze brush bubble buffalo butter captain caramel cement cherry chimney cinema
        circle citrus clover cobalt coffee compass copper cotton coyote cricket crystal cushion
        daisy dance desert diamond diary dinner dolphin donkey door dragon drawer duck eagle earth
        echo eclipse elbow emerald engine evening fabric falcon family farmer feather fiddle field
        fireman flame forest fork fossil friday frog fruit funnel galaxy garden garlic gazelle giant
        giraffe glacier glass globe granite gravel guitar harbor harp harvest hedge helmet heron
        hickory horizon horse iceberg igloo impala indigo insect island ivory jaguar jewel jigsaw
        journey juice jungle juniper kayak kitchen kiwi knight koala ladder lagoon lantern laptop
        laundry lawn leaf leopard library lily lizard lobster locket lumber lunch magnet marble
        meadow meteor mirror mitten monday morning mosaic moss muffin museum mustard napkin navy
        nectar needle nephew nest nickel nutmeg oasis oatmeal ocean october office olive onion opera
        orange orchard osprey oxygen palace panther parrot peanut pelican pencil penguin picnic
        pigeon pillow pirate potato prairie prism pumpkin puppet puzzle pyramid quartz queen quilt
        quiver rabbit raccoon radio raft razor ribbon rope ruby saffron saturn school scooter season
        shovel silver sleigh slipper sonnet spider spiral sponge spring square stable stream sweater
        teapot thimble thread thunder tiger toast topaz tractor train tree trumpet tulip turtle twig
        unicorn valley vanilla village vine violet volcano voyage waffle walnut weekend wheat
        whistle window wolf yacht yogurt zebra zigzag
        """
}
